import { hash } from 'node:crypto';
import type { Grouping } from '@service/protocol';
import { AdmissionCache } from '../cache/admission-cache.ts';
import { readMessage } from '../stack/heading.ts';
import { readCalls, sortCalls, type Calls } from './calls.ts';
import { errorKind } from './error-kind.ts';
import type { GroupedFrame } from './grouped-frame.ts';
import { issueList } from './validation-issues.ts';
import {
  isBundled,
  nameOf,
  pageAmong,
  placeText,
  readablePlace,
  sourcePlace,
  withoutCallee,
  type Place,
} from './frame-key.ts';
import { textPart, type Wording } from './text-part.ts';
import { isThrowHelper } from './throw-helper.ts';

/** Of a report, what decides its group. */
export interface FingerprintInput {
  /** Error class; null where none was sent: then it is looked for in the message. */
  readonly type: string | null;
  readonly message: string;
  /** Top first, resolved as far as maps are there. */
  readonly frames: readonly GroupedFrame[];
  /** Outermost first. */
  readonly causes: readonly GroupedCause[];
  /** The page. */
  readonly url: string | null;
}

interface GroupedCause {
  readonly type: string | null;
  readonly message: string | null;
  readonly frames: readonly GroupedFrame[];
}

export interface Fingerprint {
  /** 32 lower-case hexadecimal digits: reports with the same are one group. */
  fingerprint: string;
  /** Why: the rung of the ladder and what was hashed. */
  grouping: Grouping;
  /** `checkout (src/cart.ts)`: the top frame of the app, for people. */
  culprit: string | null;
}

/** Goes up when the same report gets other components, so that a group can be linked to its older self. */
const groupingVersion = 1;

/**
 * One bug, one fingerprint: over engines, releases and bundles. Line, column, URL, release, hashes of bundles, minified
 * names, the whole stack and what users typed never enter it, for each of them changes while the bug stays.
 */
export function fingerprint(report: FingerprintInput): Fingerprint {
  const input = withoutShell(report);
  const calls = readCalls(input.frames);
  const page = pageAmong(calls.urls, input.url);
  const last = lastAsked.get(calls);
  if (last && isSame(last, input, page)) return last.answer;
  const rung = climb(input, calls, page);
  const answer = last?.page === page && leadsTo(last.answer, rung) ? last.answer : answerOf(rung, calls, page);
  if (input.causes.length === 0) lastAsked.set(calls, { type: input.type, message: input.message, page, answer });
  return answer;
}

/**
 * Some errors only carry others and were thrown nowhere: those of `Promise.any` have the frames of whoever waits for it, or
 * none. They are what they carry.
 */
function withoutShell(report: FingerprintInput): FingerprintInput {
  const { type, frames, causes, url } = report;
  if (frames.length > 0 && type !== 'AggregateError') return report;
  const cause = causes.at(-1);
  if (!cause?.message || cause.frames.length === 0) return report;
  return { type: cause.type, message: cause.message, frames: cause.frames, causes: [], url };
}

interface Asked {
  type: string | null;
  message: string;
  page: string | null;
  answer: Fingerprint;
}

/** Of each stack without causes, what it was asked for last: a bug that strikes again mostly says the same. */
const lastAsked = new WeakMap<Calls, Asked>();

function isSame(last: Asked, { type, message, causes }: FingerprintInput, page: string | null): boolean {
  return last.message === message && last.type === type && last.page === page && causes.length === 0;
}

function leadsTo({ grouping }: Fingerprint, { rule, components }: Rung): boolean {
  return (
    grouping.rule === rule &&
    grouping.components.length === components.length &&
    components.every((component, index) => component === grouping.components[index])
  );
}

function answerOf({ rule, components }: Rung, calls: Calls, page: string | null): Fingerprint {
  return {
    fingerprint: digest(JSON.stringify(components)),
    grouping: { version: groupingVersion, rule, components },
    culprit: culpritOf(calls, page),
  };
}

function digest(components: string): string {
  let known = digests.get(components);
  if (known === undefined) digests.set(components, (known = hash('sha256', components).slice(0, 32)));
  return known;
}

const digests = new AdmissionCache<string>(10_000, 2_000_000);

interface Rung {
  rule: string;
  components: string[];
}

/** Kinds that say all there is to say: their place is the browser's, or that of whoever happened to load the page. */
const kindsAlone = new Set(['chunk-load-failed', 'script-error', 'resize-observer-loop']);

/** The ladder: the first rung that applies. */
function climb(input: FingerprintInput, stack: Calls, page: string | null): Rung {
  const outer = wordingOf(input.type, input.message);
  const kind = outer.kind?.kind;
  const calls = kind === 'class-without-new' ? sortCalls(withoutCallee(stack.all)) : stack;
  const { all, own, source, readable } = calls;

  if (kind !== undefined && kindsAlone.has(kind)) return { rule: 'kind', components: [kind] };
  if (kind === 'stack-overflow') return { rule: 'recursion', components: [kind, ...cycle(calls, page)] };

  const text = rootText(input, outer, all);
  if (source) return { rule: 'source', components: [...sourceComponents(source, own, outer), text] };
  if (readable) return { rule: 'file', components: [...parts(readablePlace(readable, page)), text] };
  if (own.length > 0) return { rule: 'bundle', components: [calls.nearestName ?? '', text] };
  // What a library says of data tells enough; where it says it changes with its version.
  if (all[0] && issueList(input.message) === null)
    return { rule: 'library', components: [placeText(sourcePlace(all[0])), text] };
  return { rule: 'text', components: [text] };
}

/** With a chain of causes the innermost says what went wrong: retries and error boundaries stand on top of unlike bugs. */
function rootText(input: FingerprintInput, outer: Wording, calls: readonly GroupedFrame[]): string {
  const cause = input.causes.at(-1);
  const root = cause && wordingOf(cause.type, cause.message ?? '');
  if (cause && root && (root.type !== null || root.message !== '')) {
    return textPart(root, readCalls(cause.frames).all);
  }
  return textPart(outer, calls);
}

function sourceComponents(frame: GroupedFrame, own: readonly GroupedFrame[], wording: Wording): string[] {
  const place = parts(frame === own[0] ? topPlace(frame, wording) : sourcePlace(frame));
  if (!isThrowHelper(frame, wording)) return place;
  const caller = callerOf(frame, own);
  return caller?.resolved ? [...place, ...parts(sourcePlace(caller))] : place;
}

/** Kinds of an operator at the very place: what is called beside it has come back, or was never called. */
const operatorKinds = new Set(
  `nullish nullish:destructure not-a-function not-a-constructor not-defined not-iterable before-initialization read-only
  class-without-new in-operator instanceof-operator`.split(/\s+/),
);

/** The function that was called there and is not on the stack. */
function topPlace(frame: GroupedFrame, { kind }: Wording): Place {
  const { callee } = frame;
  return callee && !operatorKinds.has(kind?.kind ?? '') ? callee : sourcePlace(frame);
}

/** Who called the function; what runs a callback of its own stands between the callback and itself. */
function callerOf(frame: GroupedFrame, own: readonly GroupedFrame[]): GroupedFrame | undefined {
  const place = placeText(sourcePlace(frame));
  const last = own.findLastIndex((other) => other.resolved && placeText(sourcePlace(other)) === place);
  return own[last + 1];
}

/** Which function of a cycle hits the limit is chance: the set of them is the bug. */
function cycle({ own, minified }: Calls, page: string | null): string[] {
  const places = own.slice(0, 10).map((frame): Place => {
    if (frame.resolved) return sourcePlace(frame);
    return isBundled(frame, minified) ? { file: null, function: nameOf(frame) } : readablePlace(frame, page);
  });
  return [...new Set(places.map(placeText))].toSorted();
}

function parts({ file, function: name }: Place): string[] {
  return [file ?? '', name ?? ''];
}

/** Class and message, wherever the client put them: `Uncaught TypeError: x` may be all in the message. */
function wordingOf(type: string | null, message: string): Wording {
  const read = readMessage(message);
  if (type === null || type === '') return worded(read.type, read.message ?? '');
  return worded(type, read.type === type ? (read.message ?? '') : message.trim());
}

function worded(type: string | null, message: string): Wording {
  return { type, message, kind: errorKind(message) };
}

function culpritOf({ own, topName }: Calls, page: string | null): string | null {
  const [top] = own;
  if (!top) return null;
  const { file } = readablePlace(top, page);
  return topName === null ? file : `${topName} (${file})`;
}
