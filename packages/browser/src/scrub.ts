// Linear in time: a quantifier re-enters what it has passed for a few steps at most. In this order it matches:
// `token=…` in a query, a fragment or a cookie, also percent-encoded; `Bearer …`; JSON web tokens;
// `//user:password@`; e-mail addresses. `:10:5` after a value is a line and column. `package@1.2.3` is no address.
export const secret =
  /((token|secret|passw(or)?d|api.?key|cookie|csrf|signature|credentials|jwt|auth(orization)?|session|\b(\d\w)?code)(_?id|key)?(\W|%5D)?(=|%3D)|Bearer |\beyJ)([^\s&#)"':]|:(?!\d+:\d))+|\/\/[^\s/@]+@|\b[\w.+-]{1,64}(@|%40)(?!v?\d+\.\d)[\w.-]+\.[a-z]+/gi;
