import { readCalls, type Calls } from './calls.ts';
import { isPython } from './file-path.ts';
import type { FingerprintInput, GroupedCause } from './fingerprint-input.ts';
import type { GroupedFrame } from './grouped-frame.ts';
import { lineOf } from './source-line.ts';
import type { Wording } from './text-part.ts';
import { modulePath } from './python-path.ts';
import { pythonText, raisesItself, type PythonWording } from './python-text.ts';
import { statementAt } from './python-raise.ts';
import { exceptionClass } from './python-class.ts';

/** Functions whose name says that they only check something for their callers: `require`, `get_or_fail`. */
const guardName =
  /^_*(?:(?:require|ensure|must|expect|assert|raise|fail|abort|demand|enforce|need|guard)(?:_\w{1,60})?|check|verify|validate|invariant|\w{1,60}_or_(?:fail|raise|404|die|abort|error))$/;
const lambda = /(?:^|\.)<lambda>$/;
const maxLambdaChars = 80;
const maxCycleFrames = 30;

/** The location of a Python error. Its file may be moved, and some interpreters do not report the class of a method. */
export interface PythonLocation {
  /** The components of the strategy without the file and the class: `total` for `Basket.total`. */
  readonly movable: readonly string[];
  readonly file: string;
  readonly function: string;
  /** The calling function, and the code of the line: evidence if the file was moved. */
  readonly caller: string;
  readonly code: string;
  /** All Python files of the app in the stack and in those of the causes. */
  readonly files: readonly string[];
}

interface PythonStrategy {
  rule: 'file' | 'library' | 'recursion' | 'text';
  components: string[];
  location?: PythonLocation;
}

/** Returns whether a stack has a frame of Python. */
export function isPythonStack({ all }: Calls): boolean {
  return all.some(({ file }) => isPython(file));
}

/**
 * Returns how a Python error is grouped: by file and function of the app that failed, and by class and message. Python
 * runs as written, so no name is minified, and a stack usually has the code of its lines.
 */
export function pythonStrategy(input: FingerprintInput, outer: Wording, calls: Calls): PythonStrategy {
  const { all, own } = calls;
  const text = pythonRootText(input, outer, calls);
  const [top] = own;
  if (top) return locationStrategy(input, { top, own, text: [...guardedCaller(top, calls, outer), text] });
  if (!all[0]) return { rule: 'text', components: [text] };
  return { rule: 'library', components: [`${modulePath(all[0])}:${nameOf(all[0])}`, text] };
}

/** Returns how an endless recursion is grouped: by the functions that call each other. Where it ends is random. */
export function pythonRecursion(input: FingerprintInput, kind: string, { own }: Calls): PythonStrategy {
  const names = own.slice(0, maxCycleFrames).map((frame) => unqualifiedName(nameOf(frame)));
  const repeated = names.filter((name, index) => names.indexOf(name) !== index);
  const cycle = [...new Set(repeated.length > 0 ? repeated : names.slice(0, 1))].toSorted();
  const top = own.find((frame) => unqualifiedName(nameOf(frame)) === cycle[0]);
  if (!top) return { rule: 'recursion', components: [kind] };
  return { ...locationStrategy(input, { top, own, text: [...cycle.slice(1), kind] }), rule: 'recursion' };
}

function locationStrategy(
  input: FingerprintInput,
  { top, own, text }: { top: GroupedFrame; own: readonly GroupedFrame[]; text: readonly string[] },
): PythonStrategy {
  const name = nameOf(top);
  const caller = callingFrame(top, own);
  const file = modulePath(top);
  const location: PythonLocation = {
    movable: [unqualifiedName(name), ...text],
    file,
    function: name,
    caller: caller ? unqualifiedName(nameOf(caller)) : '',
    code: (lineOf(top) ?? '').trim(),
    files: appFiles(input),
  };
  return { rule: 'file', components: [file, name, ...text], location };
}

/** Returns the caller of a function that only raises errors for others, or nothing for any other function. */
function guardedCaller(top: GroupedFrame, { all, own }: Calls, { type }: Wording): string[] {
  const caller = callingFrame(top, own);
  if (all[0] !== top || !caller || !guardName.test(unqualifiedName(nameOf(top)))) return [];
  const isRaised = raisesItself(statementAt(top) ?? '', type === null ? null : exceptionClass(type));
  return isRaised ? [unqualifiedName(nameOf(caller))] : [];
}

/**
 * Returns the text of the error, or of the cause from which the app raised it. An error that was merely being handled
 * is no cause, and the causes of an error that a library raised do not count. Of an exception group, one member counts:
 * the number of members that fail is random.
 */
function pythonRootText(input: FingerprintInput, outer: Wording, calls: Calls): string {
  const cause = firstMember(input) ?? (calls.all[0]?.in_app ? rootCause(input.causes) : undefined);
  if (!cause?.type) return textOf(outer, calls);
  const stack = readCalls(cause.frames, null, outer.version);
  const text = textOf({ type: cause.type, message: cause.message ?? '' }, stack);
  const [top] = stack.own;
  // One wrapper may be around many functions, so the function that failed is added.
  return top && top === stack.all[0] && calls.own[0] && nameOf(top) !== nameOf(calls.own[0])
    ? `${text} in ${unqualifiedName(nameOf(top))}`
    : text;
}

function rootCause(causes: readonly GroupedCause[]): GroupedCause | undefined {
  const end = causes.findIndex(({ relation }) => relation === 'context' || relation === 'member');
  return end === -1 ? causes.at(-1) : causes[end - 1];
}

function firstMember({ causes }: FingerprintInput): GroupedCause | undefined {
  const members = causes.filter(({ relation }) => relation === 'member');
  return members.toSorted((a, b) => (memberText(a) < memberText(b) ? -1 : 1))[0];
}

function memberText({ type, message }: GroupedCause): string {
  return `${type ?? ''}: ${message ?? ''}`;
}

function textOf({ type, message }: PythonWording, calls: Calls): string {
  return pythonText({ type, message: withoutClass(message, type) }, calls);
}

/** Removes the class from a message. For an error without a message, many clients send the class as the message. */
function withoutClass(message: string, type: string | null): string {
  if (type === null) return message;
  const names = [type, exceptionClass(type), type.slice(type.lastIndexOf('.') + 1)];
  if (names.includes(message)) return '';
  const prefix = names.find((name) => message.startsWith(`${name}: `));
  return prefix === undefined ? message : message.slice(prefix.length + 2);
}

/**
 * Returns the name of a function: qualified if the interpreter reports it. A lambda has no name: the code before it on
 * its line is added.
 */
function nameOf(frame: GroupedFrame): string {
  const name = frame.function ?? '';
  if (!lambda.test(name)) return name;
  const line = lineOf(frame) ?? '';
  const at = line.indexOf('lambda');
  return at === -1 ? name : `${name} ${line.slice(0, at).replaceAll(/\s+/g, ' ').trim().slice(-maxLambdaChars)}`;
}

/** Returns the name without its class: `total` for `Basket.total`. */
function unqualifiedName(name: string): string {
  const space = name.indexOf(' ');
  const end = space === -1 ? name.length : space;
  return name.slice(name.lastIndexOf('.', end - 1) + 1);
}

function callingFrame(top: GroupedFrame, own: readonly GroupedFrame[]): GroupedFrame | undefined {
  return own.find((frame) => frame.file !== top.file || frame.function !== top.function);
}

function appFiles({ frames, causes }: FingerprintInput): string[] {
  const stacks = [frames, ...causes.map((cause) => cause.frames)];
  return [
    ...new Set(stacks.flat().flatMap((frame) => (frame.in_app && isPython(frame.file) ? modulePath(frame) : []))),
  ];
}
