/** What stands in the place of a secret. */
export const removedText = '[removed]';

/** Parts of names under which secrets stand. */
const partOfName =
  'passw(?:or)?d|passphrase|passcode|pwd|secret|token|authori[sz]ation|cookie|(?:api|access|account|private)[_-]?key|credential|session|sessid|signature|[cx]srf|jwt';
/** Names that are too short to be looked for within others. */
const wholeName = 'sid|auth|pass|pin|otp|cvv2?|cvc2?|sig';
const secretName = new RegExp(`${partOfName}|(?:^|[^a-z])(?:${wholeName})$`, 'i');
const camelCaseName = /[a-z\d](?:Sid|Auth|Pass|Pin|Otp|Cvv|Cvc|Sig)$/;

const name = String.raw`(?:(?:${partOfName})[\w-]{0,32}|(?<![\w])(?:${wholeName})(?![\w-]))`;
/** Of JSON, of JSON within a text of JSON, of a script, of a list and of an object; else one word. Each goes on to its end, were it never closed. */
const value = String.raw`(?:\\"(?:[^\\"\n]|\\\\\\?[^\n]|\\[^\\"\n])*(?:\\")?|\\{1,7}["'][^"'\n]*["']?|"(?:[^"\\\n]|\\[^\n])*"?|'(?:[^'\\\n]|\\[^\n])*'?|${'`[^`]*`?'}|\[[^\]]{0,1000}\]?|\{[^}]{0,1000}\}?|[^\s"'${'`'}&;,)}\]]+)`;
/** What may stand between a name and `=`: the end of a quote, of `user[password]`, or `[]` and `[0]`. */
const nameEnd = String.raw`(?:\\{0,7}["'${'`'}]|\]|%5D|%22|\[\w{0,32}\])?`;
const equals = String.raw`\s{0,4}(?:=>|->|[:=]|%(?:25){0,3}3[AD])\s{0,4}`;

/*
 * Every pattern takes time that grows with the text alone: what repeats is bounded, or begins where it can begin once,
 * and what has no bound can't fail any more.
 */
const patterns: [pattern: RegExp, by: string | ((match: string) => string)][] = [
  [/-----BEGIN [A-Z ]{0,40}PRIVATE KEY[A-Z ]{0,10}-----[\s\S]*?(?:-----END [A-Z ]{0,60}-----|$)/g, removedText],
  // A header: all of the line, or up to the quote that it stands in. `Cookie: a=1; b=2`, `-H 'Authorization: Digest …'`
  [
    /(?<=(["'`]))((?:proxy-)?authorization|(?:set-)?cookie2?)(\s{0,4}:\s{0,4})(?!["'`\\\s])(?:(?!\1)[^\n])+/gi,
    `$2$3${removedText}`,
  ],
  [
    /(?:(?<![\w"'`./-])|(?<=\\[nrt]))((?:proxy-)?authorization|(?:set-)?cookie2?)(\s{0,4}:\s{0,4})(?!["'`\\\s])[^\n]+/gi,
    `$1$2${removedText}`,
  ],
  [/\b(Bearer|Basic)\s{1,4}[\w.~+/=-]+/gi, `$1 ${removedText}`],
  // `password: x`, `"api_key":"x"`, `\"api_key\":\"x\"`, `?token=x`, `%3Ftoken%3Dx`, `user[password]=x`, `service_session=x`
  [new RegExp(`(${name}${nameEnd}${equals})${value}`, 'gi'), `$1${removedText}`],
  // `--password x`
  [new RegExp(String.raw`((?<![\w-])--?[\w-]{0,32}?${name}[ ]{1,4})(?!-)${value}`, 'gi'), `$1${removedText}`],
  // `<password>x</password>`, `<input name="password" value="x">`
  [new RegExp(`(<[\\w:.-]{0,40}?${name}[^<>]{0,200}>)[^<]+`, 'gi'), `$1${removedText}`],
  [new RegExp(`(<[^<>]{0,400}?${name}[^<>]{0,200}?\\bvalue\\s{0,4}=\\s{0,4})${value}`, 'gi'), `$1${removedText}`],
  // `https://user:password@host`
  [/(\/\/)[^\s/?#"'<>]{1,512}@/g, `$1${removedText}@`],
  // JSON in base64: a JSON web token, or what is left of one.
  [/(?<!\w)eyJ[\w+/=-]{8,}(?:\.[\w-]*){0,4}/g, removedText],
  // What is given out with a prefix of its own: by this server, by payment providers, forges, clouds, chats and AI.
  [
    /\b(pk|pat|sk|rk|whsec|gh[oprsu]|github_pat|glpat|npm|xox[a-z]|xapp|shp[a-z]{2}|dop_v1|hf|pypi)([_-])(?=[\w-]{0,64}\d)[\w-]{16,}/g,
    `$1$2${removedText}`,
  ],
  [
    /\b(?:A[KS]IA[\dA-Z]{16}|AIza[\w-]{30,}|ya29\.[\w-]{20,}|SG\.[\w-]{16,}\.[\w-]{8,}|\d{8,12}:AA[\w-]{30,})/g,
    removedText,
  ],
  [/\b(hooks\.slack\.com\/services|discord(?:app)?\.com\/api\/webhooks)\/[\w/-]+/g, `$1/${removedText}`],
  [
    /[\p{L}\p{N}._%+'-]{1,64}(?:@|%40)(?!\d+\.\d)(?:localhost|(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24})(?!\p{L})/giu,
    removedText,
  ],
  [/(?<!\d)\d(?:[ -]?\d){12,}(?!\d)/g, withoutCards],
];

/** Takes out of a text what must not be told on: passwords and other secrets, tokens, cards, e-mail addresses. */
export function scrub(text: string): string {
  let clean = text;
  // The two kinds of replacement are two overloads.
  for (const [pattern, by] of patterns)
    clean = typeof by === 'string' ? clean.replace(pattern, by) : clean.replace(pattern, by);
  return clean;
}

/** Whether what stands under this name is a secret. */
export function isSecretName(text: string): boolean {
  return secretName.test(text) || camelCaseName.test(text);
}

/** Cards have 13 to 19 digits. Other numbers may stand beside them: whatever could be one together is taken out. */
function withoutCards(run: string): string {
  const groups = run.split(/[ -]/);
  const isCard = groups.map(() => false);
  for (const first of groups.keys()) {
    let digits = '';
    for (let last = first; last < groups.length; last++) {
      digits += groups[last];
      if (digits.length > 19) break;
      if (digits.length >= 13 && isCardNumber(digits)) isCard.fill(true, first, last + 1);
    }
  }
  if (!isCard.includes(true)) return run;
  return groups
    .map((group, index) => (isCard[index] ? removedText : group))
    .filter((_, index) => !isCard[index] || !isCard[index - 1])
    .join(' ');
}

/** By Luhn: every second digit from the right counts twice, by the sum of its digits. */
function isCardNumber(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index]);
    const counted = index % 2 === 0 ? digit : digit * 2;
    sum += counted > 9 ? counted - 9 : counted;
  }
  return sum % 10 === 0;
}
