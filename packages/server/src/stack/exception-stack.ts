import type { ExceptionFrame, StoredException } from '@service/protocol';
import { AdmissionCache } from '../cache/admission-cache.ts';
import type { CauseSection, ParsedStack } from './parsed-stack.ts';
import { withoutComprehensions } from './comprehensions.ts';
import type { StackFrame } from './stack-frame.ts';

/** Code without a file: `<string>`, `<stdin>`, `<frozen importlib._bootstrap>`. */
const nameOfCode = /^<[^/\\]*>$/;
/** Code outside of functions, and functions that an SDK does not know. */
const noName = /^(?:<module>|<unknown>|\?)$/;

/** Files of JavaScript. They may be generated: then their lines are not those of the source. */
const scriptFile = /^(?:https?|file|app|capacitor|ionic):\/\/|\.(?:[cm]?[jt]sx?|html?|vue|svelte|bundle)$/i;
/** A caller that scheduled the call, as SpiderMonkey names it: `promise callback*load`. V8 writes `async load`. */
const scheduledCall = /\*/;

/**
 * Returns the stack of structured exceptions, or null if none of them has frames. The first one is the error itself,
 * the others are its causes and members. Equal frames without variables may share objects, as in `parseStack`.
 */
export function stackOfExceptions(exceptions: readonly StoredException[]): ParsedStack | null {
  const [outer, ...causes] = exceptions;
  if (!outer || exceptions.every(({ frames }) => frames.length === 0)) return null;
  return { ...sectionOf(outer), causes: causes.map(causeOf) };
}

function causeOf(exception: StoredException): CauseSection {
  return { ...sectionOf(exception), ...(exception.relation && { relation: exception.relation }) };
}

function sectionOf({ type, message, frames, synthetic }: StoredException): Omit<ParsedStack, 'causes'> {
  return {
    type: type?.trim() ? type : null,
    message: message?.trim() ? message : null,
    frames: framesOf(frames),
    ...(synthetic && { isSynthetic: true }),
  };
}

/** Cached frames by their JSON. */
const framesByJson = new AdmissionCache<readonly StackFrame[]>(1_000, 4_000_000);

function framesOf(frames: readonly ExceptionFrame[]): readonly StackFrame[] {
  // Variables differ each time.
  if (frames.some(({ variables }) => variables !== undefined)) return readFrames(frames);
  const json = JSON.stringify(frames);
  let known = framesByJson.get(json);
  if (!known) framesByJson.set(json, (known = readFrames(frames)));
  return known;
}

function readFrames(frames: readonly ExceptionFrame[]): StackFrame[] {
  // Some SDKs can't recognize the app's code, and mark all frames as a library's. Then the path decides.
  const knowsApp = frames.some((frame) => frame.in_app === true);
  const read = frames.map((frame) => toStackFrame(frame, knowsApp));
  // V8 lists awaiting callers last. SDKs lose the mark of those without a name.
  const firstAwaiting = frames.findIndex(({ function: name }) => name?.startsWith('async '));
  if (firstAwaiting !== -1) for (const frame of read.slice(firstAwaiting)) frame.async = true;
  return withoutComprehensions(read);
}

function toStackFrame(frame: ExceptionFrame, knowsApp: boolean): StackFrame {
  const { function: sent, file, line, column, module, in_app, context, variables } = frame;
  const name = sent === null || sent.trim() === '' || noName.test(sent) ? null : sent;
  const isFile = file !== null && file !== '' && !nameOfCode.test(file);
  const isScript = isFile && scriptFile.test(file);
  const read: StackFrame = { function: isScript ? calledName(name) : name, file: isFile ? file : null, line, column };
  if (!isFile) read.eval = true;
  if (isScript && name !== null && scheduledCall.test(name)) read.async = true;
  if (isScript && read.function === null) read.mayAwait = true;
  if (module !== undefined) read.module = module;
  if (in_app !== undefined && knowsApp) read.in_app = in_app;
  if (context !== undefined) read[isScript ? 'sentContext' : 'context'] = context;
  if (variables !== undefined) read.variables = variables;
  return read;
}

/** Returns a name as `parseStack` reads it from a line of the same stack. */
function calledName(name: string | null): string | null {
  const called = name?.replace(/^async |^.*\*/, '') ?? '';
  return called === '' || called === '<anonymous>' ? null : called;
}
