// Takes linear time: a quantifier backtracks a few steps at most. Matches, in this order:
// `token=…` in a query, a fragment or a cookie, plain or percent-encoded; `Bearer …`; JSON web tokens;
// `//user:password@`; e-mail addresses. `:10:5` after a value is a line and column. `package@1.2.3` is not an address.
export const secret =
  /((token|secret|passw(or)?d|api.?key|cookie|csrf|signature|credentials|jwt|auth(orization)?|session|\b(\d\w)?code)(_?id|key)?(\W|%5D)?(=|%3D)|Bearer |\beyJ)([^\s&#)"':]|:(?!\d+:\d))+|\/\/[^\s/@]+@|\b[\w.+-]{1,64}(@|%40)(?!v?\d+\.\d)[\w.-]+\.[a-z]+/gi;
