import { truncate } from '../text/truncate.ts';
import { messageTemplate } from './message-template.ts';

/** Longer messages are not parsed. Truncated, they would not be JSON. */
const maxIssuesChars = 16_384;
const maxPaths = 5;
const maxPartChars = 100;

interface Issue {
  path: unknown[];
  code?: unknown;
  message?: unknown;
}

/**
 * Returns the paths that a validation library complains about, or null for any other message. Such a message is a JSON
 * list of issues, each with a path. The paths identify the bug; codes and texts change with the version of the library.
 */
export function validationIssues(message: string): string | null {
  const issues = readIssues(message);
  return issues && issuesText(issues.map(({ path }) => pathText(path)));
}

/** Returns what a validation library expected, if its message has no path, or null for any other message. */
export function expectedIssue(message: string): string | null {
  const { fault, expected } = expectation.exec(truncate(message, maxWrittenChars))?.groups ?? {};
  return fault === undefined ? null : `<issues> ${[fault, expected].filter(Boolean).join(' ')}`;
}

/** Valibot, without a path: `Invalid type: Expected string but received 7`, `Invalid email: Received "x"`. */
const expectation =
  /^Invalid (?<fault>[a-z][a-z\d ]{1,40}): (?:Expected (?<expected>[^\n]{1,80}?) (?:but|and) r|R)eceived /;

/**
 * Returns what a list of issues says if that alone identifies the bug: paths, and texts by the developer. Returns null
 * for any other message. The stack does not help: its frames depend on the version of the library, on the engine and on
 * what the library awaits.
 */
export function identifyingIssues(message: string): string | null {
  const issues = readIssues(message);
  const parts = issues ? issues.map(issuePart) : writtenIssues(message);
  return parts && parts.some((part) => part !== wholeValue) ? issuesText(parts) : null;
}

function issuesText(parts: readonly string[]): string {
  return `<issues> ${[...new Set(parts)].toSorted().slice(0, maxPaths).join(', ')}`;
}

function readIssues(message: string): Issue[] | null {
  if (!/^\s*\[\s*\{/.test(message) || message.length > maxIssuesChars) return null;
  try {
    const value = JSON.parse(message) as unknown[];
    return value.every(isIssue) ? value : null;
  } catch {
    // The text is not JSON, or truncated JSON.
    return null;
  }
}

function isIssue(value: unknown): value is Issue {
  return typeof value === 'object' && value !== null && 'path' in value && Array.isArray(value.path);
}

/** Returns the path of an issue, with the text of a check that the developer added. */
function issuePart({ path, code, message }: Issue): string {
  const text = code === 'custom' && typeof message === 'string' ? messageTemplate(message) : '';
  return text === '' ? pathText(path) : `${pathText(path)} ${text}`;
}

/** The path of the validated value itself. */
const wholeValue = '.';

/** Returns a path such as `rows.<n>.price`. The row is random. */
function pathText(path: readonly unknown[]): string {
  return (
    path
      .map((part) =>
        typeof part === 'string' && !/^\d+$/.test(part) ? truncate(part, maxPartChars).toWellFormed() : '<n>',
      )
      .join('.') || wholeValue
  );
}

const maxWrittenChars = 2_000;
const pathPart = '[\\w$-]{1,100}';
const writtenPath = `(?:${pathPart})(?:[./]${pathPart}|\\[\\d{1,9}\\]){0,30}`;
/** A form in which a library writes issues as text. `needs` is a part of each such text; the search for it is quick. */
interface IssueForm {
  needs: string;
  /** Captures a path. */
  pattern: RegExp;
}

const issueForms: readonly IssueForm[] = [
  // Superstruct: `At path: rows.0.price -- Expected a number, but received: "x"`.
  { needs: 'At path: ', pattern: new RegExp(`^At path: (${writtenPath}) -- `, 'gm') },
  // ajv: `data/rows/0/price must be number, data must have required property 'name'`.
  { needs: 'data', pattern: new RegExp(`(?:^|, )data[/.](${writtenPath}) (?:must|should) `, 'g') },
  { needs: 'data must', pattern: /(?:^|, )data must have required property '([\w$-]{1,100})'/g },
  // zod, as text: `✖ Expected a number` and `→ at rows[0].price` in the next line.
  { needs: '→ at ', pattern: new RegExp(`^\\s{0,9}→ at (${writtenPath})$`, 'gm') },
  // joi: `"rows[0].price" must be a number`.
  {
    needs: '" ',
    pattern: new RegExp(
      `(?:^|\\. )"(${writtenPath})" (?:must|is required|is not allowed|contains|length must)(?![\\w-])`,
      'g',
    ),
  },
];

/** Returns the paths of issues in a text, or null if it lists none. */
function writtenIssues(message: string): string[] | null {
  const text = truncate(message, maxWrittenChars);
  for (const { needs, pattern } of issueForms) {
    if (!text.includes(needs)) continue;
    const paths = [...text.matchAll(pattern)].map(([, path = '']) => pathText(path.split(/[./[\]]+/).filter(Boolean)));
    if (paths.length > 0) return paths;
  }
  return null;
}
