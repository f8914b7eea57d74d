import { hash } from 'node:crypto';
import type { Grouping } from '@service/protocol';
import { AdmissionCache } from '../cache/admission-cache.ts';
import { readMessage } from '../stack/heading.ts';
import { readablePath } from '../text/readable-path.ts';
import { authoredClass } from './authored-class.ts';
import { readCalls, describeCalls, type Calls } from './calls.ts';
import { errorKind } from './error-kind.ts';
import type { FingerprintInput, GroupedCause } from './fingerprint-input.ts';
import { withoutRegistration } from './function-name.ts';
import type { GroupedFrame } from './grouped-frame.ts';
import { groupingVersion, type GroupingVersion } from './grouping-version.ts';
import { identifyingIssues, validationIssues } from './validation-issues.ts';
import {
  isBundled,
  stableNameOf,
  pageAmong,
  frameKeyText,
  readableFrameKey,
  sourceFrameKey,
  withoutCallee,
  type FrameKey,
} from './frame-key.ts';
import { isPythonStack, pythonRecursion, pythonStrategy, type PythonLocation } from './python-strategy.ts';
import { textPart, type Wording } from './text-part.ts';
import { isThrowHelper } from './throw-helper.ts';

export interface Fingerprint {
  /** 32 lower-case hexadecimal digits. Reports with the same fingerprint form one group. */
  fingerprint: string;
  /** The grouping strategy and the hashed components. */
  grouping: Grouping;
  /** The top frame of the app in readable form: `checkout (src/cart.ts)`. */
  culprit: string | null;
  /** Set for Python, where the file of an error may have been moved. See `findMovedPythonGroup`. */
  location: PythonLocation | undefined;
}

/**
 * Computes the fingerprint of a report. The rules aim at one per bug, over all engines, releases and bundles. They
 * leave out what changes while the bug stays: line, column, release, the URL of the page and the whole stack, and,
 * where they recognize them, bundle hashes, minified names and user input.
 */
export function fingerprint(report: FingerprintInput): Fingerprint {
  const { version = groupingVersion } = report;
  const input = withoutWrapper(version === 1 ? namedByVersion1(report) : report);
  const calls = readCalls(input.frames, input.type, version);
  const page = pageAmong(calls.urls, input.url);
  if (version !== groupingVersion) return toFingerprint(selectStrategy(input, calls, page), calls, page);
  const last = lastFingerprints.get(calls);
  if (last && isSameInput(last, input, page)) return last.result;
  const strategy = selectStrategy(input, calls, page);
  const result =
    last?.page === page && hasStrategy(last.result, strategy) ? last.result : toFingerprint(strategy, calls, page);
  // A message with ids differs in every report: remembering each one with the same result would only create garbage.
  if (result !== last?.result && input.causes.length === 0)
    lastFingerprints.set(calls, { type: input.type, message: input.message, page, result });
  return result;
}

/** Returns a report with the names of functions that version 1 knew. */
function namedByVersion1(report: FingerprintInput): FingerprintInput {
  const causes = report.causes.map((cause) => ({ ...cause, frames: cause.frames.map(frameOfVersion1) }));
  return { ...report, frames: report.frames.map(frameOfVersion1), causes };
}

function frameOfVersion1(frame: GroupedFrame): GroupedFrame {
  return frame.named ? { ...frame, function: withoutRegistration(frame.function) } : frame;
}

/** A text that is replaced by the computed fingerprint, as in Sentry's SDKs. */
const defaultText = '{{ default }}';

/**
 * Returns the fingerprint of a report whose client sent the texts that group it. It never equals a computed one, and
 * the culprit remains that of the stack. The text `{{ default }}` is replaced by the computed fingerprint, so the other
 * texts split a group.
 */
export function customFingerprint(
  texts: readonly string[],
  { fingerprint: computed, grouping, culprit }: Pick<Fingerprint, 'fingerprint' | 'grouping' | 'culprit'>,
): Fingerprint {
  const components = texts.flatMap((text) => (text === defaultText ? grouping.components : [text]));
  return {
    fingerprint: customDigest(texts, computed),
    grouping: { version: groupingVersion, rule: 'custom', components },
    culprit,
    location: undefined,
  };
}

/** Returns the fingerprint of the texts of a client. `computed` replaces `{{ default }}`. */
export function customDigest(texts: readonly string[], computed: string): string {
  return digest(JSON.stringify({ custom: texts.map((text) => (text === defaultText ? computed : text)) }));
}

/** Returns whether the client's fingerprint contains the computed one, so that source maps can change it. */
export function includesComputed(texts: readonly string[]): boolean {
  return texts.includes(defaultText);
}

/**
 * Replaces an error without frames, or an AggregateError, by its innermost cause, if that has a message and frames.
 * Such an error only wraps others: that of `Promise.any` has no frames, or only those of the code that awaits it.
 */
function withoutWrapper(report: FingerprintInput): FingerprintInput {
  const { type, frames, causes } = report;
  if (frames.length > 0 && type !== 'AggregateError') return report;
  const cause = innermostCause(causes) ?? (frames.every(({ file }) => file === null) ? causes.at(-1) : undefined);
  if (!cause?.message || cause.frames.length === 0) return report;
  return { ...report, type: cause.type, message: cause.message, frames: cause.frames, causes: [] };
}

/**
 * Returns the innermost cause. Members of an AggregateError or ExceptionGroup did not cause each other, so the chain
 * ends before the first of them.
 */
function innermostCause(causes: readonly GroupedCause[]): GroupedCause | undefined {
  const firstMember = causes.findIndex(({ relation }) => relation === 'member');
  return firstMember === -1 ? causes.at(-1) : causes[firstMember - 1];
}

interface CachedFingerprint {
  type: string | null;
  message: string;
  page: string | null;
  result: Fingerprint;
}

/** The last new result for each stack without causes. A repeated error usually has the same message. */
const lastFingerprints = new WeakMap<Calls, CachedFingerprint>();

function isSameInput(
  last: CachedFingerprint,
  { type, message, causes }: FingerprintInput,
  page: string | null,
): boolean {
  return last.message === message && last.type === type && last.page === page && causes.length === 0;
}

function hasStrategy({ grouping }: Fingerprint, { rule, components }: GroupingStrategy): boolean {
  return (
    grouping.rule === rule &&
    grouping.components.length === components.length &&
    components.every((component, index) => component === grouping.components[index])
  );
}

function toFingerprint(
  { rule, components, location }: GroupingStrategy,
  calls: Calls,
  page: string | null,
): Fingerprint {
  return {
    fingerprint: digest(JSON.stringify(components)),
    grouping: { version: groupingVersion, rule, components },
    culprit: location ? culpritText(calls.topName, location.file) : culpritOf(calls, page),
    location,
  };
}

function digest(components: string): string {
  let known = digests.get(components);
  if (known === undefined) digests.set(components, (known = hash('sha256', components).slice(0, 32)));
  return known;
}

const digests = new AdmissionCache<string>(10_000, 2_000_000);

interface GroupingStrategy {
  rule: string;
  components: string[];
  location?: PythonLocation;
}

/**
 * Kinds that form a group alone. Their frames are the browser's, or those of the code that happened to load the page.
 */
const standaloneKinds = new Set(['chunk-load-failed', 'script-error', 'resize-observer-loop']);

/** Returns the first grouping strategy that applies. */
function selectStrategy(input: FingerprintInput, stack: Calls, page: string | null): GroupingStrategy {
  const outer = wordingOf(input, input.version);
  const kind = outer.kind?.kind;
  const calls = kind === 'class-without-new' ? describeCalls(withoutCallee(stack.all), outer.version) : stack;
  const { all, own, source, readable } = calls;

  if (kind !== undefined && standaloneKinds.has(kind)) return { rule: 'kind', components: [kind] };
  if (kind === 'stack-overflow' && isPythonStack(calls)) return pythonRecursion(input, kind, calls);
  if (kind === 'stack-overflow') return { rule: 'recursion', components: [kind, ...cycle(calls, page)] };

  if (isPythonStack(calls)) return pythonStrategy(input, outer, calls);

  if (outer.issues !== null) return { rule: 'text', components: [textPart(outer, all)] };
  const text = rootText(input, outer, all);
  if (source) return { rule: 'source', components: [...sourceComponents(source, own, outer), text] };
  if (readable) return { rule: 'file', components: [...keyParts(readableFrameKey(readable, page)), text] };
  if (own.length > 0) {
    // Without a name the location is unknown, as without a stack: some engines report none of the frames.
    const name = calls.nearestName ?? (outer.version === 1 ? '' : null);
    return { rule: 'bundle', components: name === null ? [text] : [name, text] };
  }
  // A validation message identifies the bug. The frame of the library that wrote it changes with the library's version.
  if (all[0] && validationIssues(input.message) === null)
    return { rule: 'library', components: [frameKeyText(sourceFrameKey(all[0])), text] };
  return { rule: 'text', components: [text] };
}

/**
 * Returns the text part of the innermost cause, because retries and error boundaries wrap unrelated bugs. Returns that
 * of the error if it has no cause.
 */
function rootText(input: FingerprintInput, outer: Wording, calls: readonly GroupedFrame[]): string {
  const cause = innermostCause(input.causes);
  const root = cause && wordingOf({ ...cause, message: cause.message ?? '' }, input.version);
  if (cause && root && (root.type !== null || root.message !== '')) {
    return textPart(root, readCalls(cause.frames, cause.type, root.version).all);
  }
  return textPart(outer, calls);
}

function sourceComponents(frame: GroupedFrame, own: readonly GroupedFrame[], wording: Wording): string[] {
  const key = keyParts(frame === own[0] ? topFrameKey(frame, wording) : sourceFrameKey(frame));
  if (!isThrowHelper(frame, wording, own.slice(own.indexOf(frame) + 1))) return key;
  const caller = callerFrameOf(frame, own);
  return caller?.resolved ? [...key, ...keyParts(sourceFrameKey(caller))] : key;
}

/**
 * Kinds of errors that are raised by an operator in the frame itself. A function that is called in the same expression
 * has already returned, or was never called.
 */
const operatorKinds = new Set(
  `nullish nullish:destructure not-a-function not-a-constructor not-defined not-iterable before-initialization read-only
  class-without-new in-operator instanceof-operator`.split(/\s+/),
);

/** Returns the key of the function that the frame calls if the engine elided its frame, else the key of the frame. */
function topFrameKey(frame: GroupedFrame, { kind }: Wording): FrameKey {
  const { callee } = frame;
  return callee && !operatorKinds.has(kind?.kind ?? '') ? callee : sourceFrameKey(frame);
}

/** Returns the caller of a function. A function is not its own caller: it may occur below and above a callback. */
function callerFrameOf(frame: GroupedFrame, own: readonly GroupedFrame[]): GroupedFrame | undefined {
  const key = frameKeyText(sourceFrameKey(frame));
  const last = own.findLastIndex((other) => other.resolved && frameKeyText(sourceFrameKey(other)) === key);
  return own[last + 1];
}

/**
 * Returns the functions of a recursion, sorted. Which of them reaches the stack limit is random, so their set
 * identifies the bug.
 */
function cycle({ own, minifiedFiles }: Calls, page: string | null): string[] {
  const keys = own.slice(0, 10).map((frame): FrameKey => {
    if (frame.resolved) return sourceFrameKey(frame);
    return isBundled(frame, minifiedFiles)
      ? { file: null, function: stableNameOf(frame) }
      : readableFrameKey(frame, page);
  });
  return [...new Set(keys.map(frameKeyText))].toSorted();
}

function keyParts({ file, function: name }: FrameKey): string[] {
  return [file ?? '', name ?? ''];
}

/** Returns class and message. A client may have sent both in the message: `Uncaught TypeError: x`. */
function wordingOf(
  { type, message, frames }: Pick<FingerprintInput, 'type' | 'message' | 'frames'>,
  version: GroupingVersion = groupingVersion,
): Wording {
  const read = readMessage(message);
  const sent = type === null || type === '' ? read.type : type;
  const whole = sent === read.type ? (read.message ?? '') : message.trim();
  const known = sent === null || version === 1 ? sent : authoredClass(sent, frames);
  // A message from the heading of a stack begins with the class, possibly in its minified form.
  const text = known !== sent && whole.startsWith(`${sent}: `) ? whole.slice(`${sent}: `.length) : whole;
  return {
    type: known,
    message: text,
    kind: errorKind(text),
    issues: version === 1 ? null : identifyingIssues(text),
    version,
  };
}

function culpritOf({ own, topName }: Calls, page: string | null): string | null {
  const [top] = own;
  if (!top) return null;
  return culpritText(topName, readableFrameKey(top, page).file);
}

function culpritText(name: string | null, file: string | null): string | null {
  const path = file === null ? null : readablePath(file);
  return name === null ? path : `${name} (${path})`;
}
