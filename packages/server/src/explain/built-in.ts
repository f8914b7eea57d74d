import type { Breadcrumb, Frame, GroupDetails } from '@service/protocol';
import { errorKind, type ErrorKind } from '../fingerprint/error-kind.ts';
import { truncate } from '../text/truncate.ts';
import { readMessage } from '../stack/heading.ts';
import { plainText } from './plain-text.ts';

/** How the built-in explainer is named in answers. */
export const builtInModel = 'built-in';

const codeChars = 200;
const messageChars = 500;
const stepsShown = 5;
const namesShown = 5;

interface Advice {
  /** Why such an error comes about. `name` is what it is about, as code. */
  cause: (name: string | null) => string;
  fix: (name: string | null) => string;
}

const nullish: Advice = {
  cause: (name) =>
    name === null
      ? 'A value was `undefined` or `null` where the code used it as an object.'
      : `The value whose ${name} was used was \`undefined\` or \`null\`: it was never set, is not there yet, or a call that should have given it gave nothing.`,
  fix: (name) =>
    `Find out why the value is missing where it is made. If it may be missing, check it before ${name === null ? 'it is used' : `${name} is used`}, or use \`?.\` with a fallback.`,
};

/** By the kind that all engines' wordings of one complaint have. */
const adviceOfKind: Record<string, Advice> = {
  nullish,
  'nullish:destructure': {
    cause: () => 'A value that was taken apart (`const { … } = value`) was `undefined` or `null`.',
    fix: () => 'Give it a default (`= {}`) where it may be missing, or find out why it is not there.',
  },
  'not-a-function': {
    cause: (name) =>
      `${name ?? 'Something'} was called, but is no function: it is missing on that object, is named otherwise, or holds another value.`,
    fix: (name) =>
      `Look at what ${name ?? 'the called value'} really is at that line: a mistyped name, a wrong import, or an object of another shape than expected.`,
  },
  'not-a-constructor': {
    cause: (name) => `${name ?? 'A value'} was used with \`new\`, but can't be constructed.`,
    fix: () => 'Check the import: a default export and a named one are easily mixed up.',
  },
  'not-defined': {
    cause: (name) => `${name ?? 'A variable'} is used, but is declared nowhere that this code can see.`,
    fix: () => 'Import or declare it; if a script of another file should set it, check that it is loaded before.',
  },
  'before-initialization': {
    cause: (name) => `${name ?? 'A variable'} was used before the line that gives it its value had run.`,
    fix: () => 'Move the use below the declaration. Modules that import each other in a circle lead here too.',
  },
  'not-iterable': {
    cause: () => 'A value was looped over or spread, but is no list.',
    fix: () => 'Check what it is at that line; an answer of a server may have another shape, or be missing.',
  },
  'json-syntax': {
    cause: () =>
      'A text that was read as JSON is none. Often it is an error page in HTML, an empty answer, or one that was cut off.',
    fix: () => 'Check the status and the content type of the answer before you read it as JSON.',
  },
  'fetch-failed': {
    cause: () =>
      'A request got no answer: the network was gone, the server could not be reached, or the browser refused it (CORS, a blocker).',
    fix: () => 'Catch it, tell the user, and try again. Look among the steps before for the request that failed.',
  },
  aborted: {
    cause: () => 'A request was given up before it was answered, by the code itself or because the page went away.',
    fix: () => 'If giving up is meant, catch it and ignore errors whose name is `AbortError`.',
  },
  'chunk-load-failed': {
    cause: () =>
      'A part of the application could not be loaded. Most often a newer version was deployed meanwhile and the old files are gone.',
    fix: () => 'Keep the files of the last versions on the server for a while, and reload the page when this happens.',
  },
  'stack-overflow': {
    cause: () => 'Functions called each other without an end.',
    fix: () =>
      'Look at the functions that repeat in the stack: the condition that should end the recursion never holds.',
  },
  'script-error': {
    cause: () => 'A script of another origin failed, and the browser hides what happened there.',
    fix: () =>
      'Load that script with `crossorigin="anonymous"`, and let its server send `Access-Control-Allow-Origin`.',
  },
  'read-only': {
    cause: (name) => `${name ?? 'A constant or a read-only property'} was given a new value.`,
    fix: () => 'Copy the object instead of changing it, or declare the variable with `let`.',
  },
};

/**
 * Explains a group by rules, in Markdown. It says only what the report shows: what kind of error it is, where it
 * happened, what was missing, what came before, and how many it hits.
 */
export function explainByRules(group: GroupDetails): string {
  const report = group.latest_report;
  const message = report?.message ?? group.message;
  const kind = errorKind(readMessage(message).message ?? message) ?? errorKind(message);
  const frame = report?.frames.find(({ in_app }) => in_app) ?? report?.frames[0] ?? null;
  return [
    '## What happened',
    happened(group, message),
    '## Likely cause',
    likelyCause(group, kind),
    '## Where to look',
    whereToLook(frame, report?.breadcrumbs ?? []),
    '## Suggested fix',
    suggestedFix(group, kind, frame),
  ].join('\n\n');
}

function happened(group: GroupDetails, message: string): string {
  const { count, users, first_seen, last_seen, first_release, last_release, environments, reopen_count } = group;
  const times = count === 1 ? 'once' : `${count} times`;
  const whom = users === 0 ? '' : `, to ${users} ${users === 1 ? 'user' : 'users'}`;
  const span = count === 1 ? `at ${first_seen}` : `between ${first_seen} and ${last_seen}`;
  const lines = [`${code(group.type ?? 'Error')}: ${code(message)}`, '', `It happened ${times}${whom}, ${span}.`];
  if (environments.length > 0) lines.push(`Environments: ${codes(environments)}.`);
  if (first_release !== null)
    lines.push(
      first_release === last_release
        ? `Only release ${code(first_release)} is known to have it.`
        : `First seen in release ${code(first_release)}, last in ${code(last_release ?? first_release)}.`,
    );
  if (reopen_count > 0)
    lines.push(`It came back ${reopen_count === 1 ? 'once' : `${reopen_count} times`} after it was resolved.`);
  return lines.join('\n');
}

function likelyCause(group: GroupDetails, kind: ErrorKind | null): string {
  const advice = kind && adviceOfKind[kind.kind];
  if (advice) return advice.cause(kind.name === null ? null : code(kind.name));
  const causes = (group.latest_report?.stacktrace ?? '').split('\n').filter((line) => line.startsWith('Caused by: '));
  const root = causes.at(-1);
  if (root !== undefined) return `The chain of causes ends with ${code(root.slice('Caused by: '.length))}.`;
  return 'The application reported this in its own words; the report shows no more of the reason than the message says.';
}

function whereToLook(frame: Frame | null, breadcrumbs: readonly Breadcrumb[]): string {
  const lines: string[] = [];
  if (!frame) lines.push('The report has no stack.');
  else {
    const { function: name, file, line, column, in_app, resolved, context } = frame;
    const place = `${file ?? 'unknown'}:${line ?? '?'}:${column ?? '?'}`;
    lines.push(
      `${name === null ? 'Code' : code(name)} at ${code(place)}${in_app ? '' : ', which is code of a library'}.`,
    );
    const failing = context.find((part) => part.line === line);
    if (failing) lines.push('', 'The failing line:', '', indented(failing.text));
    if (!resolved) lines.push('', 'The place is as the browser told it: if it is a bundle, upload its source map.');
  }
  const steps = breadcrumbs.slice(-stepsShown).map(stepOf);
  if (steps.length > 0) lines.push('', 'What came just before, the last one last:', '', ...steps);
  return lines.join('\n');
}

function suggestedFix(group: GroupDetails, kind: ErrorKind | null, frame: Frame | null): string {
  const advice = kind && adviceOfKind[kind.kind];
  if (advice) return advice.fix(kind.name === null ? null : code(kind.name));
  const where = frame ? 'the place above' : 'whatever writes this message';
  const releases =
    group.first_release === null ? '' : `, and at what release ${code(group.first_release)} changed there`;
  return `No rule knows this message. Look at ${where}${releases}.`;
}

function stepOf({ timestamp, type, category, data }: Breadcrumb): string {
  const told = ['message', 'selector', 'method', 'url', 'status', 'to', 'arguments']
    .flatMap((name) => (data[name] === undefined ? [] : [plain(data[name])]))
    .join(' ');
  // What a client calls a time may hold any text in brackets.
  const at = new Date(timestamp).toISOString();
  return `- ${at} ${code(`${type}/${category}`)} ${told === '' ? '' : code(told)}`.trimEnd();
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function codes(texts: readonly string[]): string {
  return texts.slice(0, namesShown).map(code).join(', ');
}

/** Text of strangers as code: one line, and with a fence longer than any run of backticks in it. */
function code(text: string): string {
  // Before its backticks are counted: what is taken out may have stood between two of them.
  const line = truncate(plainText(text).replace(/\s+/g, ' ').trim(), messageChars) || ' ';
  const longest = Math.max(0, ...Array.from(line.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = longest > 0 ? ' ' : '';
  return fence + pad + line + pad + fence;
}

/** A line of code, which has no line end in it that would end the block. */
function indented(line: string): string {
  return `    ${truncate(plainText(line).replaceAll('\n', ' ').trim(), codeChars)}`;
}
