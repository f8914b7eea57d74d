// Takes linear time: a quantifier backtracks a few steps at most. Matches, in this order: `token=…` in a query, a
// fragment or a cookie, plain or percent-encoded, and `"password":"…"` in JSON, also in JSON inside JSON, up to its end
// in spite of escapes; the `code` of a query; `Bearer …`; JSON web tokens; `Authorization: Basic …`;
// `//user:password@`; e-mail addresses. Short names must begin at a word, because `spin` and `discard` are no secrets.
// The suffix `id` may repeat: with `?` in place of `*`, the engine compiles what follows several times, to 25 KB in
// place of 16. `:10:5` after a value is a line and column; `,`, `}` and `]` after it belong to JSON. Neither
// `package@1.2.3` nor `logo@2x.png` is an address. A scrubbed value stays, because a report is copied again after
// `beforeSend`.
const secret =
  /((?:token|secret|passw(?:or)?d|passphrase|(?:api|private)[-_.]?key|cookie|[cx]srf|signature|credentials?|authorization|session|sessid|(?:\b|_)(?:auth|jwt|pwd|sid|pin|otp|cvv|card|ssn))(?:[-_]?(?:id|key|number))*(?:(?:\W|%5D)?(?:=|%3D)|\\*"\s*:\s*(?!true|false|null))|(?:[?&#]|%..)code(?:=|%3D)|\bBearer |\beyJ|authorization\W{1,5}\w{1,9} )(?!\[scrubbed)(?:(\\*")(?:(?!\2)\\?.)+|(?:[^\s&#)"':]|:(?!\d+:\d))*[^\s&#)"':,}\]\\])|\/\/[^\s/@]+@|\b[\w.+-]{1,64}(?:@|%40)(?!v?\d+\.\d|\dx\b)[\w.-]+\.[a-z]+/gi;

/** Replaces the secrets in a text by `[scrubbed]`. */
export function scrub(text: string): string {
  return text.replace(secret, '$1$2[scrubbed]');
}

/**
 * Returns whether a value is a secret by its key, such as `accessToken`, `user_password` or `card-number`. A boolean or
 * a word of three letters at most, such as `yes`, only says whether there is a secret.
 */
export function isSecret(key: string, value: unknown): boolean {
  const words = key.replace(/([a-z])([A-Z])/g, '$1_$2');
  return `${words}=x`.search(secret) >= 0 && !/^([a-z]{0,3}|true|false|null|undefined)$/i.test(String(value));
}

/** Replaces a secret by `[scrubbed]`. A replacer for `JSON.stringify`. */
export function scrubMember(key: string, value: unknown): unknown {
  if (isSecret(key, value)) return '[scrubbed]';
  return typeof value === 'string' ? scrub(value) : value;
}
