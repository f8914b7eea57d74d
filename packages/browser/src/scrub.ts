// Names of secrets. The short ones must begin at a word, because `spin` and `discard` are no secrets.
const secretName =
  '(?:token|secret|passw(?:or)?d|passphrase|(?:api|private)[-_.]?key|cookie|csrf|signature|credentials?|authorization|session' +
  '|(?:\\b|_)(?:auth|jwt|pwd|sid|pin|otp|cvv|card|ssn))(?:[-_]?(?:id|key|number))?';

// Takes linear time: a quantifier backtracks a few steps at most. Matches, in this order:
// `token=…` in a query, a fragment or a cookie, plain or percent-encoded; the `code` of a query; `Bearer …`; JSON web
// tokens; `Authorization: Basic …`; `"password":"…"` in JSON, also in JSON inside JSON; `//user:password@`; e-mail
// addresses. `:10:5` after a value is a line and column. Neither `package@1.2.3` nor `logo@2x.png` is an address.
const secretText = /* @__PURE__ */ new RegExp(
  `(${secretName}(?:\\W|%5D)?(?:=|%3D)|(?:[?&#]|%(?:26|3F|23))code(?:=|%3D)|\\bBearer |\\beyJ|authorization\\W{1,5}\\w{1,9} )` +
    `(?:[^\\s&#)"':]|:(?!\\d+:\\d))+` +
    `|(${secretName}\\\\*"\\s{0,9}:\\s{0,9})(?:(\\\\*")[^"\\\\]+|\\d+)` +
    `|\\/\\/[^\\s/@]+@` +
    `|\\b[\\w.+-]{1,64}(?:@|%40)(?!v?\\d+\\.\\d|\\dx\\b)[\\w.-]+\\.[a-z]+`,
  'gi',
);

const secretKey = /* @__PURE__ */ new RegExp(`${secretName}$`, 'i');

/** Replaces the secrets in a text by `[scrubbed]`. */
export function scrub(text: string): string {
  return text.replace(secretText, '$1$2$3[scrubbed]');
}

/**
 * Returns whether a value is a secret by its key, such as `accessToken`, `user_password` or `card-number`. A boolean or a
 * word of three letters at most, such as `yes`, only says whether there is a secret.
 */
export function isSecret(key: string, value: unknown): boolean {
  return (
    secretKey.test(key.replace(/([a-z])([A-Z])/g, '$1_$2')) &&
    value != null &&
    typeof value !== 'boolean' &&
    !(typeof value === 'string' && /^[a-z]{0,3}$/i.test(value))
  );
}

/** Replaces a secret by `[scrubbed]`, as the second argument of JSON.stringify. */
export function scrubMember(key: string, value: unknown): unknown {
  if (isSecret(key, value)) return '[scrubbed]';
  return typeof value === 'string' ? scrub(value) : value;
}
