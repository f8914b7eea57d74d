import { limits, type ErrorReport, type ExceptionRelation } from '@service/protocol';
import { itemsOf, eventFields, eventText, type EventFields } from './event-values.ts';

type SentException = NonNullable<ErrorReport['exceptions']>[number];
type SentFrame = NonNullable<SentException['frames']>[number];

/** The exceptions of an event in the order and form of a report. */
export interface EventExceptions {
  /** The error itself, its causes, then the members of its group. */
  exceptions: SentException[];
  /** The tree of components, which an older SDK for React sends as a cause. */
  componentStack: string | null;
}

/** The maximum number of exceptions that are read: the outermost ones. */
const maxLinked = 50;
/** The type of the exception with which SDKs for React transport the tree of components. */
const componentStackType = /^React ErrorBoundary\b/;

/**
 * Reads the exceptions of an event. If none has frames, reads the stack that some SDKs add to a thread or to the event
 * itself.
 */
export function readExceptions(event: EventFields, message: string): EventExceptions {
  const platform = eventText(event.platform) ?? 'other';
  const values = itemsOf(event.exception).slice(-maxLinked);
  const components = values.findIndex(({ type }) => typeof type === 'string' && componentStackType.test(type));
  const own = components === -1 ? values : values.toSpliced(components, 1);
  // One more than a report keeps, so that the others are known to be missing.
  const exceptions = linked(own)
    .slice(0, limits.exceptions + 1)
    .map(({ value, relation }) => toException(value, relation, platform));
  if (exceptions.length === 0) {
    const frames = sentFramesOf(stackOfThreads(event), platform);
    if (frames.length > 0) exceptions.push({ type: null, message, synthetic: true, frames });
  } else if (exceptions.every(({ frames }) => frames?.length === 0) && exceptions[0])
    exceptions[0].frames = sentFramesOf(stackOfThreads(event), platform);
  const componentStack = values[components] ? componentLines(values[components]) : null;
  return { exceptions, componentStack };
}

interface LinkedException {
  value: EventFields;
  relation: ExceptionRelation | null;
}

/** Orders exceptions, outermost first. SDKs send the outermost one last. Newer SDKs number them and name the parent. */
function linked(values: readonly EventFields[]): LinkedException[] {
  const outermost = values.at(-1);
  if (!outermost) return [];
  const id = mechanismOf(outermost).exception_id;
  const areNumbered = typeof id === 'number' && values.every((value) => isNumbered(value, value === outermost));
  if (areNumbered) return withRelated(values, { value: outermost, relation: null }, new Set());
  return values.toReversed().map((value, index) => ({ value, relation: index === 0 ? null : 'cause' }));
}

function isNumbered(value: EventFields, isOutermost: boolean): boolean {
  const { exception_id, parent_id } = mechanismOf(value);
  return typeof exception_id === 'number' && (isOutermost || typeof parent_id === 'number');
}

/** Lists an exception, its causes, then its members. Each one is listed once, also in a cycle. */
function withRelated(values: readonly EventFields[], one: LinkedException, seen: Set<EventFields>): LinkedException[] {
  if (seen.has(one.value)) return [];
  seen.add(one.value);
  const { exception_id: id } = mechanismOf(one.value);
  const related = values
    .filter((value) => mechanismOf(value).parent_id === id)
    .toReversed()
    .map((value): LinkedException => ({ value, relation: relationOf(mechanismOf(value).source) }));
  const isMember = ({ relation }: LinkedException): boolean => relation === 'member';
  const inOrder = [...related.filter((each) => !isMember(each)), ...related.filter(isMember).toSorted(byId)];
  return [one, ...inOrder.flatMap((each) => withRelated(values, each, seen))];
}

function byId(a: LinkedException, b: LinkedException): number {
  return Number(mechanismOf(a.value).exception_id) - Number(mechanismOf(b.value).exception_id);
}

/** `errors[0]` in JavaScript, `exceptions[0]` in Python are members of a group. */
function relationOf(source: unknown): ExceptionRelation {
  if (typeof source === 'string' && source.endsWith(']')) return 'member';
  return source === '__context__' ? 'context' : 'cause';
}

function mechanismOf(value: EventFields): EventFields {
  return eventFields(value.mechanism);
}

function toException(value: EventFields, relation: ExceptionRelation | null, platform: string): SentException {
  const synthetic = mechanismOf(value).synthetic === true;
  const type = eventText(value.type) ?? null;
  return {
    // SDKs call a thrown text an `Error`.
    type: synthetic && type === 'Error' ? null : typeWithModule(type, value.module, platform),
    message: messageOfException(eventText(value.value) ?? null, platform),
    relation,
    ...(synthetic && { synthetic }),
    frames: sentFramesOf(value.stacktrace, platform),
  };
}

/** An error without a message has the one that our SDK gives it, so that both SDKs have the same groups. */
function messageOfException(message: string | null, platform: string): string | null {
  return isScriptPlatform(platform) && (message === 'No error message' || message === '') ? 'Error' : message;
}

function isScriptPlatform(platform: string): boolean {
  return platform === 'javascript' || platform === 'node';
}

/** Python's classes have the name of their module, as in a traceback. */
function typeWithModule(type: string | null, module: unknown, platform: string): string | null {
  if (platform !== 'python' || type === null || typeof module !== 'string') return type;
  return /^(?:|builtins|exceptions|__builtin__|__main__)$/.test(module) || type.includes('.')
    ? type
    : `${module}.${type}`;
}

/**
 * Returns the stack of the thread that crashed, or else of the current or the first one, or else of the event itself.
 */
function stackOfThreads(event: EventFields): unknown {
  const threads = itemsOf(event.threads);
  const thread = threads.find(({ crashed }) => crashed === true) ?? threads.find(({ current }) => current === true);
  return (thread ?? threads.at(0))?.stacktrace ?? event.stacktrace;
}

/**
 * Reads frames, top first. SDKs send the oldest call first. A recursion in Python has a thousand: the middle is not
 * read.
 */
function sentFramesOf(stacktrace: unknown, platform: string): SentFrame[] {
  const isScript = isScriptPlatform(platform);
  const sent = itemsOf(eventFields(stacktrace).frames).toReversed();
  const { exceptionFrames: maxFrames, exceptionTailFrames: tail } = limits;
  const isKept = (index: number): boolean => index < maxFrames - tail || index >= sent.length - tail;
  return sent.map((frame, index) => (isKept(index) || sent.length <= maxFrames ? toSentFrame(frame, isScript) : {}));
}

/** Texts that SDKs send in place of a file for functions of the engine. */
const engineFile = /^(?:<anonymous>|native|\[native code\]|\[wasm code\]|self-hosted|index \d+)$/;

function toSentFrame(frame: EventFields, isScript: boolean): SentFrame {
  const file = eventText(frame.abs_path) || eventText(frame.filename) || null;
  const line = positionOf(frame.lineno);
  const read: SentFrame = {
    // V8's `<anonymous>` becomes `?` in SDKs, also behind a class.
    function: eventText(frame.function)?.replace(/(?<=^|\.)\?$/, '<anonymous>') ?? null,
    file: file !== null && engineFile.test(file) ? null : file,
    line,
    column: positionOf(frame.colno),
  };
  const module = eventText(frame.module);
  if (!isScript && module) read.module = module;
  // SDKs in browsers mark all frames as the app's. In Node.js the path is enough to decide.
  if (!isScript && typeof frame.in_app === 'boolean') read.in_app = frame.in_app;
  const context = line === null ? [] : contextLinesOf(frame, line);
  if (context.length > 0) read.context = context;
  return read;
}

function positionOf(value: unknown): number | null {
  return Number.isSafeInteger(value) ? (value as number) : null;
}

/** Source lines next to the line of a frame, on each side. */
const maxContextLines = 5;

function contextLinesOf(frame: EventFields, line: number): { line: number; text: string }[] {
  if (typeof frame.context_line !== 'string') return [];
  const before = listOf(frame.pre_context).slice(-maxContextLines);
  const after = listOf(frame.post_context).slice(0, maxContextLines);
  return [...before, frame.context_line, ...after].flatMap((text, index) =>
    typeof text === 'string' ? [{ line: line - before.length + index, text }] : [],
  );
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Writes the tree of components as React does. */
function componentLines(exception: EventFields): string {
  return sentFramesOf(exception.stacktrace, 'javascript')
    .map(({ function: name, file, line, column }) => {
      const location = [file, line, column].filter((part) => part !== null && part !== undefined).join(':');
      return `\n    at ${name ?? '<anonymous>'}${location && ` (${location})`}`;
    })
    .join('');
}
