import type { Breadcrumb, Frame, GroupDetails } from '@service/protocol';
import { errorKind, type ErrorKind } from '../fingerprint/error-kind.ts';
import { truncate } from '../text/truncate.ts';
import { readMessage } from '../stack/heading.ts';
import { rootCauseOf } from './causes.ts';
import { plainText } from './plain-text.ts';
import { formatPosition } from './format-position.ts';

/** The `model` of explanations that the built-in rules generate. */
export const builtInModel = 'built-in';

const codeChars = 200;
const maxShownMessageChars = 500;
const maxExplainedBreadcrumbs = 5;
const maxEnvironments = 5;

interface Advice {
  /** Returns the usual cause of the error. `name` is the value in question, formatted as code. */
  cause: (name: string | null) => string;
  fix: (name: string | null) => string;
}

const nullish: Advice = {
  cause: (name) =>
    name === null
      ? 'A value was `undefined` or `null` where the code used it as an object.'
      : `${name} was accessed on \`undefined\` or \`null\`: the value was never set, is not loaded yet, or a call returned nothing.`,
  fix: (name) =>
    `Find out why the value is missing where it is created. If it may be missing, check it before ${name === null ? 'it is used' : `${name} is accessed`}, or use \`?.\` with a fallback.`,
};

/** Advice by error kind. A kind covers the messages of all engines for one error. */
const adviceOfKind: Record<string, Advice> = {
  nullish,
  'nullish:destructure': {
    cause: () => 'A value that was destructured (`const { … } = value`) was `undefined` or `null`.',
    fix: () => 'Add a default (`= {}`) if the value may be missing, or find out why it is missing.',
  },
  'not-a-function': {
    cause: (name) =>
      `${name ?? 'A value'} was called but is not a function: it is missing on that object, has another name, or holds another value.`,
    fix: (name) =>
      `Check the value of ${name ?? 'the called expression'} at that line. Common reasons are a mistyped name, a wrong import, or an object of an unexpected shape.`,
  },
  'not-a-constructor': {
    cause: (name) => `${name ?? 'A value'} was used with \`new\` but is not a constructor.`,
    fix: () => 'Check the import: a default export is easily confused with a named one.',
  },
  'not-defined': {
    cause: (name) => `${name ?? 'A variable'} is used but is not declared in this scope.`,
    fix: () => 'Import or declare it. If another script defines it, check that this script loads first.',
  },
  'before-initialization': {
    cause: (name) => `${name ?? 'A variable'} was used before its declaration had run.`,
    fix: () => 'Move the use below the declaration. Circular imports are another common reason.',
  },
  'not-iterable': {
    cause: () => 'A value was iterated or spread but is not iterable.',
    fix: () => 'Check the value at that line. The response of a server may be missing or have an unexpected shape.',
  },
  'json-syntax': {
    cause: () =>
      'A text that was parsed as JSON is not JSON. Often it is an HTML error page, or an empty or incomplete response.',
    fix: () => 'Check the status and the content type of the response before you parse it as JSON.',
  },
  'fetch-failed': {
    cause: () =>
      'A request got no response: the network was offline, the server was unreachable, or the browser blocked it (CORS, an ad blocker).',
    fix: () => 'Catch the error, inform the user, and retry. The breadcrumbs show which request failed.',
  },
  aborted: {
    cause: () =>
      'A request was aborted before it had a response, by the code itself or because the user left the page.',
    fix: () => 'If the abort is intended, catch the error and ignore it if its name is `AbortError`.',
  },
  'chunk-load-failed': {
    cause: () =>
      'A part of the application could not be loaded. The usual reason is a new deployment that removed the old files.',
    fix: () =>
      'Keep the files of previous versions on the server for a while, and reload the page when this error occurs.',
  },
  'stack-overflow': {
    cause: () => 'Functions called each other endlessly.',
    fix: () =>
      'Look at the functions that repeat in the stack: the condition that should end the recursion is never met.',
  },
  'script-error': {
    cause: () => 'A script of another origin failed, and the browser hides the details.',
    fix: () =>
      'Load that script with `crossorigin="anonymous"`, and let its server send `Access-Control-Allow-Origin`.',
  },
  'read-only': {
    cause: (name) => `A new value was assigned to ${name ?? 'a constant or a read-only property'}.`,
    fix: () => 'Copy the object instead of changing it, or declare the variable with `let`.',
  },
};

/**
 * Explains a group by rules, in Markdown. Uses only the group and its latest report, such as the numbers of reports and
 * users, the releases, and the kind, the location, the cause and the last breadcrumbs of the error.
 */
export function explainByRules(group: GroupDetails): string {
  const report = group.latest_report;
  const message = report?.message ?? group.message;
  const kind = errorKind(readMessage(message).message ?? message) ?? errorKind(message);
  const frame = report?.frames.find(({ in_app }) => in_app) ?? report?.frames[0] ?? null;
  return [
    '## What happened',
    whatHappened(group, message),
    '## Likely cause',
    likelyCause(group, kind),
    '## Where to look',
    whereToLook(frame, report?.breadcrumbs ?? []),
    '## Suggested fix',
    suggestedFix(group, kind, frame),
  ].join('\n\n');
}

function whatHappened(group: GroupDetails, message: string): string {
  const { count, users, first_seen, last_seen, first_release, last_release, environments, reopen_count } = group;
  const reports = `${count} ${count === 1 ? 'report' : 'reports'}`;
  const affected = users === 0 ? '' : ` from ${users} ${users === 1 ? 'user' : 'users'}`;
  const span = count === 1 ? `at ${first_seen}` : `between ${first_seen} and ${last_seen}`;
  const lines = [`${inlineCode(group.type ?? 'Error')}: ${inlineCode(message)}`, '', `${reports}${affected}, ${span}.`];
  if (environments.length > 0) lines.push(`Environments: ${codes(environments)}.`);
  if (first_release !== null)
    lines.push(
      first_release === last_release
        ? `Seen only in release ${inlineCode(first_release)}.`
        : `First seen in release ${inlineCode(first_release)}, last in ${inlineCode(last_release ?? first_release)}.`,
    );
  if (reopen_count > 0)
    lines.push(`Reopened ${reopen_count === 1 ? 'once' : `${reopen_count} times`} after it was resolved.`);
  return lines.join('\n');
}

function likelyCause(group: GroupDetails, kind: ErrorKind | null): string {
  const advice = kind && adviceOfKind[kind.kind];
  if (advice) return advice.cause(kind.name === null ? null : inlineCode(kind.name));
  const root = group.latest_report ? rootCauseOf(group.latest_report) : undefined;
  if (root !== undefined) return `The root cause in the report is ${inlineCode(root)}.`;
  return 'This message comes from the application. The report contains no further information about the cause.';
}

function whereToLook(frame: Frame | null, breadcrumbs: readonly Breadcrumb[]): string {
  const lines: string[] = [];
  if (!frame) lines.push('The report has no stack.');
  else {
    const { function: name, file, line, column, in_app, resolved, context } = frame;
    const position = `${file ?? 'unknown'}${formatPosition(frame)}`;
    lines.push(
      `${name === null ? 'Code' : inlineCode(name)} at ${inlineCode(position)}${in_app ? '' : ', in a library'}.`,
    );
    const failing = context.find((part) => part.line === line);
    if (failing) lines.push('', 'The failing line:', '', indented(failing.text));
    // Frames of Python have no column, and need no source map.
    if (!resolved && column !== null)
      lines.push('', 'This is the location that the browser reported. If the file is a bundle, upload its source map.');
  }
  const items = breadcrumbs.slice(-maxExplainedBreadcrumbs).map(breadcrumbItem);
  if (items.length > 0) lines.push('', 'The last breadcrumbs before the error, newest last:', '', ...items);
  return lines.join('\n');
}

function suggestedFix(group: GroupDetails, kind: ErrorKind | null, frame: Frame | null): string {
  const advice = kind && adviceOfKind[kind.kind];
  if (advice) return advice.fix(kind.name === null ? null : inlineCode(kind.name));
  const where = frame ? 'the location above' : 'the code that creates this message';
  const releases =
    group.first_release === null ? '' : `, and at the changes of release ${inlineCode(group.first_release)}`;
  return `No rule matches this message. Look at ${where}${releases}.`;
}

function breadcrumbItem({ timestamp, type, category, data }: Breadcrumb): string {
  const details = ['message', 'selector', 'method', 'url', 'status', 'to', 'arguments']
    .flatMap((name) => (data[name] === undefined ? [] : [plain(data[name])]))
    .join(' ');
  // Date.parse accepts any text in parentheses, so the timestamp of a client is formatted again.
  const at = new Date(timestamp).toISOString();
  return `- ${at} ${inlineCode(`${type}/${category}`)} ${details === '' ? '' : inlineCode(details)}`.trimEnd();
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function codes(texts: readonly string[]): string {
  return texts.slice(0, maxEnvironments).map(inlineCode).join(', ');
}

/** Formats untrusted text as code: one line, in a fence that is longer than any run of backticks in it. */
function inlineCode(text: string): string {
  // Control characters are removed before the backticks are counted, because they may separate two of them.
  const line = truncate(plainText(text).replace(/\s+/g, ' ').trim(), maxShownMessageChars) || ' ';
  const longest = Math.max(0, ...Array.from(line.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = longest > 0 ? ' ' : '';
  return fence + pad + line + pad + fence;
}

/** Formats a line as a code block. Line breaks in it become spaces, because they would end the block. */
function indented(line: string): string {
  return `    ${truncate(plainText(line).replaceAll('\n', ' ').trim(), codeChars)}`;
}
