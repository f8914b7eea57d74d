/** What stands in the place of a secret. */
export const removedText = '[removed]';

const secretNames = 'password|passwd|secret|token|authorization|cookie|api[_-]?key|session';
const secretName = new RegExp(secretNames, 'i');

/*
 * Every pattern takes time that grows with the text alone: what repeats is bounded, or begins where it can begin once.
 */
const patterns: [pattern: RegExp, by: string | ((match: string) => string)][] = [
  [/\b(Bearer|Basic)\s{1,4}[\w.~+/=-]{1,4096}/gi, `$1 ${removedText}`],
  // `password: x`, `"api_key":"x"`, `\"api_key\":\"x\"`, `?token=x`, `%3Ftoken%3Dx`, `user[password]=x`, `service_session=x`
  [
    new RegExp(
      String.raw`((?:${secretNames})[\w-]{0,32}(?:\\{0,3}["']|\]|%5D)?\s{0,4}(?:[:=]|%3[Dd])\s{0,4})(?:\\{0,3}"[^"\n]{0,4096}"?|'[^'\n]{0,4096}'?|[^\s"'&;,)}\]]{1,4096})`,
      'gi',
    ),
    `$1${removedText}`,
  ],
  // `https://user:password@host`
  [/(\/\/)[^\s/@"']{1,256}@/g, `$1${removedText}@`],
  [/\beyJ[\w-]{4,4096}\.[\w-]{1,4096}\.[\w-]{0,4096}/g, removedText],
  [/\b(pk|pat|sk|rk|whsec)_[\w-]{16,256}/g, `$1_${removedText}`],
  [/[\w.+-]{1,64}@(?:localhost|(?:[\w-]{1,63}\.){1,8}[a-z]{2,24})\b/gi, removedText],
  [/\b\d(?:[ -]?\d){12,18}\b/g, (digits) => (isCardNumber(digits) ? removedText : digits)],
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
export function isSecretName(name: string): boolean {
  return secretName.test(name);
}

/** By Luhn: every second digit from the right counts twice, by the sum of its digits. */
function isCardNumber(text: string): boolean {
  const digits = text.replace(/\D/g, '');
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index]);
    const counted = index % 2 === 0 ? digit : digit * 2;
    sum += counted > 9 ? counted - 9 : counted;
  }
  return sum % 10 === 0;
}
