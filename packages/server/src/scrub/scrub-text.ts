import { decodeOnce, replaceBase64 } from './encoded.ts';
import { removedText } from './removed-text.ts';
import { anyName, camelName } from './secret-name.ts';
import { endOfValue } from './secret-value.ts';
import { scrubEmails } from './scrub-emails.ts';
import { scrubCards } from './scrub-cards.ts';

/** Levels of encoding that are decoded: an encoded text may be embedded in another encoded text. */
const maxLevels = 3;

/**
 * Removes secrets from a text before it is logged or sent to an AI provider: passwords, keys, tokens, card numbers and
 * e-mail addresses. Reports are stored without it: our SDKs scrub them in the client. Events of Sentry's SDKs pass
 * `remove-named-secrets.ts` instead.
 */
export function scrubText(text: string): string {
  return scrubAt(text, scrubBase64);
}

function scrubAt(text: string, readBase64: (text: string) => string): string {
  let clean = scrubLevel(text, readBase64);
  let plain = clean;
  for (let level = 0; level < maxLevels; level++) {
    const decoded = decodeOnce(plain);
    if (decoded === plain) break;
    plain = scrubLevel(decoded, readBase64);
    // A text without hidden secrets keeps its original encoding.
    if (plain !== decoded) clean = plain;
  }
  return clean;
}

/**
 * Scrubs a line of source. The value after a name is mostly code: it is no secret, and it is needed to find the bug.
 */
export function scrubCode(line: string): string {
  const comment = /(?<!:)\/\/|\/\*|^\s{0,200}\*|(?<!\S)#(?=\s)/.exec(line)?.index ?? line.length;
  return (
    scrubLevel(line.slice(0, comment), scrubBase64, isCode) +
    (comment < line.length ? scrubText(line.slice(comment)) : '')
  );
}

/*
 * The time of every pattern is linear in the length of the text. Repetitions are bounded or can start at one place
 * only, and unbounded repetitions cannot fail.
 */

/** Issued tokens have a known form. They start after another kind of character, or after an escape of one. */
const begins = String.raw`(?:(?<![A-Za-z\d])|(?<=\\[nrt])|(?<=%[\dA-Fa-f]{2}))`;
const newLine = String.raw`(?:\r?\n|(?:\\r)?\\n)`;
/**
 * Parts between a name and `=`: a closing quote, the end of `user[password]`, `[]` or `[0]`, or a property of the name.
 */
const nameEnd = String.raw`(?:\\{0,7}["'${'`'}]|\]|%5D|%2[27]|\[\w{0,32}\]|%5B\w{0,32}%5D|&(?:quot|apos|#0?3[49]|#x2[27]);|\\{1,7}u002[27]|\.(?:value|val|text|data|raw|plain|content|string)\b|\s(?:provided|given|used)\b){0,3}[?!]?`;
const equals = String.raw`(?:\s{0,4}(?:=>|->|:=|!?={1,3}|<>|::?|[：＝]|%(?:25){0,3}3[AD]|\\{1,7}u003[AD]|&#(?:61|58);)\s{0,4}|[ ]{0,4}\t\s{0,4})`;
/** A type annotation, as in `password: string = "x"`. */
const ofType = String.raw`(?:(?:const|str|string|bytes|char|text|varchar|any|unknown|optional|secretstr)(?:[<[][\w, ]{0,32}[>\]])?(?:\s?\|\s?\w{1,32}){0,4}\??\s{0,4}=\s{0,4})?`;
const quotedValue = String.raw`\\{0,7}["'${'`'}]`;

/** Makes a pattern atomic: in a row of names, the first one suffices and the others are not tried. */
function atomic(group: number, pattern: string): string {
  return `(?=(${pattern}))\\${group}`;
}

/** What precedes a secret value. `endOfValue` finds the end of the value. */
const introductions = [
  // `password: x`, `"api_key":"x"`, `\"api_key\":\"x\"`, `?token=x`, `%3Ftoken%3Dx`, `user[password]=x`,
  // `service_session=x`
  new RegExp(`${anyName}${nameEnd}${equals}${ofType}`, 'gi'),
  new RegExp(`${camelName}${nameEnd}${equals}${ofType}`, 'g'),
  // `--password x`, `-u user:x`, `mysql -px`
  new RegExp(String.raw`(?<![\w-])--?[\w-]{0,32}?(?:${anyName}|pass)[ ]{1,4}(?!-)`, 'gi'),
  /(?<=\s)(?:-u|--user|--proxy-user)(?:\s{1,2}|=)["']?[^\s:"']{1,64}:/g,
  /(?:\b(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n]{0,200}?\s-p|\bsshpass\s{1,4}-p\s{0,4})(?=\S)/g,
  // `["cookie", "x"]`, `set('token', 'x')`, `s:8:"password";s:1:"x"`
  new RegExp(
    String.raw`${quotedValue}[\w.-]{0,32}?${anyName}${quotedValue}\s{0,4}(?:,|;s:\d{1,9}:)\s{0,4}(?=${quotedValue})(?!["'${'`'}][a-z_]{1,16}["'${'`'}])`,
    'gi',
  ),
  // `{ name: 'token', value: 'x' }`
  new RegExp(
    String.raw`${quotedValue}[\w.-]{0,32}?${anyName}:?${quotedValue}\s{0,4}[,;]\s{0,4}(?:${quotedValue})?(?:value|val|content|text|data)(?:${quotedValue})?\s{0,4}[:=]\s{0,4}`,
    'gi',
  ),
  // `<input name="password" value="x">`, and with both attributes in the opposite order
  new RegExp(String.raw`<${atomic(1, `[^<>]{0,400}?${anyName}`)}[^<>]{0,600}?\bvalue\s{0,4}=\s{0,4}`, 'gi'),
  new RegExp(String.raw`<[^<>]{0,200}?\bvalue\s{0,4}=\s{0,4}(?=[^<>]{0,400}?${anyName})`, 'gi'),
  // `Wrong password "x"`, `IDENTIFIED BY 'x'`, `PASSWORD('x')`, `Invalid token "x"`
  /(?:passw(?:or[dt]|d)|passphrase|pwd|identified\s{1,4}by|api[ _-]?key)(?:\s{1,4}|\()(?=["'`])/gi,
  /(?<!unexpected\s)(?:token|jwt|session(?: id)?)\s(?=["'`][\w.~+/=-]{8,}["'`])/gi,
  // `The password is x`, `Your code is 123456`
  /(?:passw(?:or[dt]|d)|passphrase|passcode|pwd|pin|otp|token|secret)\s{1,2}(?:is|was|lautet|ist)\s{1,2}(?=["']?[^\s"']{0,64}\d)(?=["']?[^\s"']{4})/gi,
  /\bcode\s{1,2}(?:is|was|lautet|ist)\s{1,2}(?=\d{6,8}(?!\d))/gi,
];

/**
 * Text that only mentions a component: `<SessionProvider>:`, `(<SessionProvider>)`, `<SessionProvider>'s`,
 * `<SessionProvider>{children}`.
 */
const afterName = /^(?:[)\]},.:;!?*"'`…]{1,8}(?:\s|$)|'s\b|\/$|\{[\w.()]{0,64}\}$)/;
/**
 * The content of an element: directly after the tag, or up to the closing tag. Otherwise a sentence mentions the
 * element.
 */
const content = String.raw`(?:[^<\s][^<\n]*|\s{1,16}[^<\s][^<\n]{0,512}\s{0,16}(?=<\/))`;
const ofElement = String.raw`[\w:.-]{0,40}?${anyName}[^<>]{0,240}`;
/** Words that follow "Bearer" in sentences about tokens. */
const ofBearer =
  'tokens?|auth(?:entication|orization)?|scheme|realm|header|error|null|undefined|is|was|not|and|or|required|missing|invalid|prefix|format|expected';

/**
 * Removes the content of an element. Text after a component that is only mentioned stays: such a component begins with
 * a capital, unlike `<password>{SSHA}…`.
 */
function removeContent(match: string, element: string, _name: string, text: string): string {
  return /^<[A-Z]/.test(element) && afterName.test(text) ? match : element + removedText;
}

/** Secrets that are recognized by their form or by the form of the text around them. */
const patterns: [pattern: RegExp, replacement: string | ((match: string, ...groups: string[]) => string)][] = [
  [/(?<=(\?|&|#|%3F|%26)(?:code|key)(?:=|%3D))(?=[^\s&"'<>]{0,64}\d)[^\s&"'<>]{16,}/gi, removedText],
  [
    new RegExp(
      String.raw`\b(Bearer)(?:[ \t\u00a0]{1,4}|%20|\+)(?!(?:realm|error|scope)=|(?:${ofBearer})(?![\w.~+/=-]))[\w.~+/=%-]+`,
      'gi',
    ),
    `$1 ${removedText}`,
  ],
  [/\bBasic(?:[ \t\u00a0]{1,4}|%20|\+)([\w+/=%-]+)/gi, removePair],
  [/\b(Negotiate|NTLM)\s{1,4}[\w+/=]{16,}/gi, `$1 ${removedText}`],
  // `<password>x</password>`, `<property name="password">x`, `<td>Password</td><td>x`, `<b>Password:</b> x`
  [new RegExp(String.raw`(<${atomic(2, ofElement)}>\s{0,8}<!\[CDATA\[)(?:(?!\]\]>)[\s\S])+`, 'gi'), `$1${removedText}`],
  [new RegExp(String.raw`(<${atomic(2, ofElement)}>)(${content})`, 'gi'), removeContent],
  [
    new RegExp(
      String.raw`(<[^<>]{0,200}?\b(?:name|key|id)=["'][\w.-]{0,32}?${anyName}["'][^<>/]{0,200}>)${content}`,
      'gi',
    ),
    `$1${removedText}`,
  ],
  [
    new RegExp(String.raw`(${anyName}\s{0,4}[:=]?\s{0,4}(?:<\/?[a-z][^<>]{0,200}>\s{0,8}){1,4})[^<\s][^<\n]*`, 'gi'),
    `$1${removedText}`,
  ],
  // `https://user:password@host`, also with characters that a URL does not allow
  [/(\/\/)[^\s/?#"'<>]{1,512}@/g, `$1${removedText}@`],
  [/(:\/\/)[^\s/?#:@"'<>[]{0,64}:(?!\d{1,5}\b(?!@))(?![/\\])[^\s"'<>]{1,256}@/g, `$1${removedText}@`],
  [/(\bthin:[^\s/@]{1,64}\/)[^\s@]{1,128}@/gi, `$1${removedText}@`],
  // JSON in base64: a JSON web token or a part of one.
  [
    new RegExp(
      String.raw`(?:(?<!\w)|(?<=_)|(?<=\\[nrt])|(?<=%[\dA-Fa-f]{2}))eyJ[\w+/=-]{8,}(?:(?:\.|%2E)[\w-]*){0,4}`,
      'g',
    ),
    removedText,
  ],
  // Tokens with a known prefix: of this server, payment providers, code hosts, clouds, chats and AI providers.
  [
    new RegExp(
      String.raw`${begins}(pk|pat|sk|rk|whsec|gh[oprsu]|github_pat|gl(?:pat|ptt|dt|rt|cbt|soat|oas|agent|imt|ft|ffct)|npm|xox[a-z]|xapp|shp[a-z]{2}|do[opr]_v1|hf|pypi|rubygems|dckr_pat|lin_api|ntn|figd|sntry[su]|sbp|sb_secret|gsk|r8|pplx|glsa|nvapi|xkeysib|PMAK|sq0[a-z]{3}|GOCSPX|ATATT3x[\w]{0,8}|rzp_(?:live|test)|FLWSECK|AGE-SECRET-KEY)([_-])(?=[\w-]{0,64}\d)[\w-]{16,}`,
      'g',
    ),
    `$1$2${removedText}`,
  ],
  [
    new RegExp(
      String.raw`${begins}(?:A[KS]IA[\dA-Z]{16}|AIza[\w-]{30,}|ya29\.[\w-]{20,}|1//0[\w-]{30,}|SG\.[\w-]{16,}\.[\w-]{8,}|\d{8,12}:AA[\w-]{30,}|hv[bs]\.[\w-]{20,}|EAA[A-Za-z\d]{30,}|SK[\da-f]{32}|key-[\da-f]{32}|[\da-f]{32}-us\d{1,2}|[MNO][\w-]{23,25}\.[\w-]{6}\.[\w-]{27,}|(?:pi|seti)_\w{8,64}_secret_\w{8,})`,
      'g',
    ),
    removedText,
  ],
  [
    /\b(hooks\.slack\.com\/(?:services|workflows|triggers)|discord(?:app)?\.com\/api\/webhooks|hooks\.zapier\.com\/hooks\/catch|[\w-]{1,63}\.webhook\.office\.com\/webhookb2|outlook\.office\.com\/webhook)\/[\w/@.-]+/g,
    `$1/${removedText}`,
  ],
  // A card number that was truncated.
  [/\d(?:[ -]?\d){3,18}(?=…\[truncated\])/g, removedText],
];

const privateKey =
  /-{4,5} ?BEGIN[A-Z\d +]{0,40}PRIVATE(?: |\+|%20)KEY[A-Z +]{0,10} ?-{4,5}[\s\S]*?(?:-{4,5} ?END[A-Z\d +]{0,60} ?-{4,5}|$)/g;
/** A part of a multipart form, after its headers. */
const formPart = new RegExp(
  String.raw`((?<![\w-])name=\\{0,3}["']?${atomic(2, String.raw`[\w.[\]-]{0,40}?${anyName}`)}[^\n\\]{0,200}(?:\\{1,3}")?${newLine}(?:(?:[^\r\n\\]|\r(?!\n)){1,200}${newLine}){0,4}${newLine})[\s\S]*?(?=${newLine}--|$)`,
  'gi',
);

function scrubLevel(
  text: string,
  readBase64: (text: string) => string,
  isAllowed: (text: string, start: number, end: number) => boolean = () => false,
): string {
  let clean = text.replace(privateKey, removedText).replace(formPart, `$1${removedText}`);
  for (const introduction of introductions) clean = removeValues(clean, introduction, isAllowed);
  // The two kinds of replacement need two overloads of `replace`.
  for (const [pattern, replacement] of patterns)
    clean = typeof replacement === 'string' ? clean.replace(pattern, replacement) : clean.replace(pattern, replacement);
  return scrubCards(readBase64(scrubEmails(clean)));
}

function removeValues(
  text: string,
  introduction: RegExp,
  isAllowed: (text: string, start: number, end: number) => boolean,
): string {
  let clean = '';
  let from = 0;
  introduction.lastIndex = 0;
  for (let match = introduction.exec(text); match; match = introduction.exec(text)) {
    const start = introduction.lastIndex;
    const end = endOfValue(text, start, contextOf(text, match));
    if (end > start && !isAllowed(text, start, end)) {
      clean += text.slice(from, start) + removedText;
      from = end;
      introduction.lastIndex = end;
    }
  }
  return clean + text.slice(from);
}

const maxSecretNameChars = 64;

function contextOf(text: string, { 0: introduction, index }: RegExpExecArray): { isQuery: boolean; isHeader: boolean } {
  return {
    isQuery:
      /[?&#][\w.%[\]-]*$/.test(text.slice(Math.max(0, index - maxSecretNameChars), index)) &&
      introduction.endsWith('='),
    isHeader: /^(?:cookies?2?|authori[sz]ation)(?![\w-])/i.test(introduction),
  };
}

/** Returns whether a value is code, such as a name or a call, and not a string or part of one. */
function isCode(text: string, start: number, end: number): boolean {
  const before = text.slice(0, start);
  const isText = /["'`]/.exec(before) !== null && ['"', "'", '`'].some((quote) => before.split(quote).length % 2 === 0);
  const value = text.slice(start, end);
  if (/^`(?:\w{1,10} )?\$\{[^{}]*\}`$/.test(value)) return true;
  return !isText && /^[A-Za-z_$!({[]/.test(value) && !/["'`]/.test(value);
}

/** Removes `user:password` in base64, as in a header. The words "basic access" stay. */
function removePair(match: string, run: string): string {
  return Buffer.from(run, 'base64').toString().includes(':') ? `Basic ${removedText}` : match;
}

const scrubBase64 = (text: string): string => replaceBase64(text, removeCredentials);

/** Leaves base64 within base64: each level would take several times as long as the one around it. */
const unchanged = (text: string): string => text;

/** Removes base64 that contains a secret or a `user:password` pair. */
function removeCredentials(run: string, decoded: string): string {
  const isPair = /^[\w.@+-]{1,64}:[!-~]{4,256}$/.test(decoded);
  return isPair || scrubAt(decoded, unchanged) !== decoded ? removedText : run;
}
