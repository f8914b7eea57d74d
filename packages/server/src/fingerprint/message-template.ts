import { truncate } from '../text/truncate.ts';
import { DigitNormalizingCache } from './digit-normalizing-cache.ts';
import { errorKind } from './error-kind.ts';
import { protectConstants, restoreDigits } from './protected-digits.ts';

/** Longer lines are truncated. Messages differ at the beginning, and patterns cost time for each character. */
const maxTemplateLineChars = 400;
const maxJsonChars = 4_096;
/** The values of these keys come from developers, not from users. */
const developerKeys = new Set(['path', 'code', 'type', 'kind', 'name', 'status', 'message', 'error', 'reason']);
/** An error code of words and a number: `P2002`, `auth/E17`. */
const errorCodePattern = /^[A-Za-z][A-Za-z_.:/-]{0,40}\d{1,5}$/;

interface Placeholder {
  pattern: RegExp;
  name: string;
  /**
   * If the text contains none of these, the pattern cannot match. The search for them costs a tenth of trying the
   * pattern.
   */
  needs?: readonly string[];
}

// The order matters: an earlier match may contain a later one. Every pattern starts at the start of a run of its
// characters, so no text makes it read a character more than a few times.
const placeholders: readonly Placeholder[] = [
  {
    pattern: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'<>)[\]]*(?:\[[^\s"'<>()[\]]*\][^\s"'<>)[\]]*)*/gi,
    name: '<url>',
    needs: ['://'],
  },
  { pattern: /(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g, name: '<email>', needs: ['@'] },
  {
    pattern: /"[^"]*"|`[^`]*`|“[^”]*”|„[^“”]*[“”]|«[^»]*»|‘[^‘’]*’|「[^」]*」|(?<!\w)'[^']*(?:'\w[^']*)*'(?!\w)/g,
    name: '<text>',
    needs: ['"', '`', '“', '„', '«', '‘', '「', "'"],
  },
  { pattern: /(?<![^\s/])[^\s/]*%[0-9a-f]{2}[^\s/]*/gi, name: '<text>', needs: ['%'] },
  { pattern: /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, name: '<id>', needs: ['-'] },
  {
    pattern: /\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d{1,9})?(?: ?(?:Z|[+-]\d\d:?\d\d))?)?\b/g,
    name: '<date>',
    needs: ['-'],
  },
  {
    pattern:
      /\b(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? )?(?:(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* \d{1,2}|\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*),? \d{4}\b/g,
    name: '<date>',
    needs: ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'],
  },
  {
    // `10:00:00 GMT+0100 (Central European Standard Time)`: the time zone is the user's, in the user's language.
    pattern: /\b\d{1,2}:\d\d(?::\d\d)?(?: ?[AP]M)?\b(?: (?:GMT|UTC)(?:[+-]\d{1,2}:?\d\d)?(?: \([^()]{1,60}\))?)?/gi,
    name: '<time>',
    needs: [':'],
  },
  { pattern: /\b\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}(?::\d{1,5})?\b/g, name: '<ip>', needs: ['.'] },
  { pattern: /(?<![\w:])(?:[0-9a-f]{0,4}:){3,7}[0-9a-f]{0,4}(?![\w:])/gi, name: '<ip>', needs: [':'] },
  { pattern: /\b0x[0-9a-f]+\b/gi, name: '<id>', needs: ['0x', '0X'] },
  // Colors. One of six digits becomes `#<n>` by the rule for numbers.
  {
    pattern: /#(?:(?=\d*[a-f])(?:[\da-f]{8}|[\da-f]{6})|(?=[a-f]*\d)(?=\d*[a-f])[\da-f]{3,4})(?!\w)/gi,
    name: '#<n>',
    needs: ['#'],
  },
  // A version with a suffix: `2.0.0-beta.1`.
  { pattern: /\b\d+\.\d+\.\d+-[0-9a-z]+(?:[.-][0-9a-z]+)*/gi, name: '<n>', needs: ['-'] },
  // Signed tokens (JWT): two or three parts.
  { pattern: /\beyJ[\w-]+(?:\.[\w-]*){1,2}/g, name: '<id>', needs: ['eyJ'] },
  // Tokens: eight or more hexadecimal digits, or letters mixed with several digits. Short ones need letters between
  // digits.
  { pattern: /\b(?=[a-f]*\d)[0-9a-f]{8,}\b/gi, name: '<id>' },
  {
    pattern: /(?<![\w-])(?=[\w-]{8,})(?=[A-Za-z_-]*\d[A-Za-z_-]*\d)(?=[\d_-]*[A-Za-z])[\w-]+(?:={1,2}(?![\w"']))?/g,
    name: '<id>',
  },
  { pattern: /(?<![\w-])(?=[A-Za-z_-]*\d[\d_-]*[A-Za-z][A-Za-z_-]*\d)[\w-]{5,}/g, name: '<id>' },
  // An error number stays: React has 500 errors behind one sentence.
  {
    pattern:
      /(?<!\b(?:err|error|errno|(?:status|error|exit) code):? ?#?(?=\d{1,4}(?!\d)))(?<![\d.])[-+]?\d+(?:[.,’\u00a0\u202f]\d+)*(?:e[-+]?\d+)?(?:\s?%|\s?(?:[kmgt]i?b|[mnµ]?s|px|bytes|sec|min|h|st|nd|rd|th)\b)?/gi,
    name: '<n>',
  },
  { pattern: /(<\w+>)(?:[,;]? ?\1)+/g, name: '$1', needs: ['<'] },
  // Singular and plural become one: `1 item`, `2 items`.
  { pattern: /(?<=<n> )(\p{L}{3,30})s\b/gu, name: '$1', needs: ['<n> '] },
];

/**
 * Returns the part of a message that a developer wrote. Ids, quoted texts and numbers become placeholders, so that a
 * message has one template for all its values. Reads only the first two lines that are not blank.
 */
export function messageTemplate(message: string): string {
  const shape = jsonTemplate(message);
  return shape === null ? sentenceTemplate(message) : restoreDigits(shape);
}

function sentenceTemplate(message: string): string {
  const known = templates.get(message);
  if (known !== undefined) return known;
  const template = restoreDigits(leadingLines(message).map(lineTemplate).join('\n'));
  // The patterns treat all digits alike, except for that of `0x1f`. A template that kept digits is valid for its own
  // message only.
  if (!/\d/.test(template) && !/\dx/i.test(message)) templates.set(message, template);
  return template;
}

const templates = new DigitNormalizingCache<string>();

function leadingLines(message: string): string[] {
  const lines = truncate(message, 4 * maxTemplateLineChars)
    .split('\n')
    .map((line) => truncate(line.trim(), maxTemplateLineChars));
  return lines.filter((line) => line !== '').slice(0, 2);
}

function lineTemplate(message: string): string {
  // Digits of other scripts are digits too.
  const line = /[^\p{ASCII}]/u.test(message) ? message.replace(/(?!\d)\p{Nd}/gu, '0') : message;
  // Most messages have nothing to replace: every pattern needs one of these characters.
  if (!/[\d"'`“„«‘「@%:#]/.test(line)) return line;
  let text = protectConstants(withoutEngineText(line));
  for (const { pattern, name, needs } of placeholders) {
    if (needs?.some((part) => text.includes(part)) ?? true) text = text.replace(pattern, name);
  }
  return text.trim();
}

/**
 * Replaces an engine's message at the end by its kind. In `Could not open 7: e.theme is undefined` the end is worded by
 * one browser.
 */
function withoutEngineText(line: string): string {
  for (let at = line.indexOf(': '); at !== -1; at = line.indexOf(': ', at + 1)) {
    const kind = errorKind(line.slice(at + 2));
    if (kind !== null) return `${line.slice(0, at)}: <${kind.kind}>`;
  }
  return line;
}

/**
 * Returns the shape of a thrown object, which arrives as JSON, or null for any other message. Its keys come from the
 * developer, most of its values from the user.
 */
function jsonTemplate(message: string): string | null {
  if (!/^\s*[{[]/.test(message) || message.length > maxJsonChars) return null;
  try {
    const value: unknown = JSON.parse(message);
    // An escape may have been a lone surrogate.
    return truncate(shapeOf(value, 0), 2 * maxTemplateLineChars).toWellFormed();
  } catch {
    // The text is a sentence, or truncated JSON, which is treated as a sentence.
    return null;
  }
}

function shapeOf(value: unknown, depth: number): string {
  if (typeof value !== 'object' || value === null) return typeof value;
  if (depth > 3) return '…';
  // A list is described by its first element, not by its length.
  if (Array.isArray(value)) return `[${value.length === 0 ? '' : shapeOf(value[0], depth + 1)}]`;
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const shapes = members.map(([key, member]) => `${key}:${developerValue(key, member) ?? shapeOf(member, depth + 1)}`);
  return `{${shapes.join(',')}}`;
}

function developerValue(key: string, member: unknown): string | null {
  if (!developerKeys.has(key.toLowerCase())) return null;
  if (typeof member === 'number') return String(member);
  if (typeof member !== 'string') return null;
  return key.toLowerCase() === 'code' && errorCodePattern.test(member)
    ? member
    : lineTemplate(truncate(member, maxTemplateLineChars));
}
