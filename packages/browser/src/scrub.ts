// Linear in time: what a quantifier has passed it enters again for a few steps at most. First `token=…` in a query, a
// fragment or a cookie, also percent-encoded, `Bearer …` and JSON web tokens; `:10:5` after one is a place in a script.
// Then `//user:password@`, and e-mails, but not `package@1.2.3`.
export const secret =
  /((token|secret|passw(or)?d|api.?key|cookie|csrf|signature|credentials|jwt|auth(orization)?|session|\b(\d\w)?code)(_?id|key)?(\W|%5D)?(=|%3D)|Bearer |\beyJ)([^\s&#)"':]|:(?!\d+:\d))+|\/\/[^\s/@]+@|\b[\w.+-]{1,64}(@|%40)(?!v?\d+\.\d)[\w.-]+\.[a-z]+/gi;
