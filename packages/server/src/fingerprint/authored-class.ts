import { isEngineType } from './engine-type.ts';
import { isPython } from './file-path.ts';
import { bareName, isMinifiedName } from './function-name.ts';
import { isInFile } from './frame-key.ts';
import type { GroupedFrame } from './grouped-frame.ts';
import { lineOf, linesUpTo } from './source-line.ts';

/** The maximum number of frames at the top of a stack that construct the error: those of its class and base classes. */
const maxConstructors = 5;
/** Lines of a statement that throws, above the one that the engine reports. */
const linesBefore = 2;
const thrown = /\b(?:throw|reject\s*\()\s*new\s+([\w$.]{1,200})/g;
const constructed = /^\s*new\s+([\w$.]{1,200})/;
const className = /^\p{Lu}/u;
/** What bundlers add to the name of a class that another file has too: `_CartError`, `CartError$1`, `CartError2`. */
const bundlerMarks = /^_+(?=\p{Lu})|\$\d{1,3}$|(?<=(?:Error|Exception))\d{1,3}$/gu;

/**
 * Returns the class of an error as its author named it, or null if only a name of a minifier is known. Classes with
 * `this.name = this.constructor.name` report the name of the build. `frames` are all frames, top first.
 */
export function authoredClass(type: string, frames: readonly GroupedFrame[]): string | null {
  if (isEngineType(type)) return type;
  const isMinified = isMinifiedName(type);
  const plain = isMinified || !/^_|\d$/.test(type) ? type : type.replace(bundlerMarks, '');
  if ((plain === type && !isMinified) || frames.some(({ file }) => isPython(file))) return type;
  if (!isMinified) return plain;
  const constructor = frames.slice(0, maxConstructors).find((frame) => frame.named && isConstructorOf(type, frame));
  if (constructor) return lastName(constructor.function ?? '');
  return classThrownAt(frames.find((frame) => isInFile(frame) && !frame.raw.async));
}

/** Returns the number of frames at the top that construct the error: those of its class and of its base classes. */
export function constructorsOf(type: string | null, frames: readonly GroupedFrame[]): number {
  if (type === null) return 0;
  return 1 + frames.slice(0, maxConstructors).findLastIndex((frame) => isConstructorOf(type, frame));
}

function isConstructorOf(type: string, frame: GroupedFrame): boolean {
  if (!frame.named) return bareName(frame.raw.function) === type;
  const name = lastName(frame.function ?? '');
  return name === type || (bareName(frame.raw.function) === type && className.test(name));
}

/** Returns the class that the source constructs at a frame, or null if it does not show one. */
function classThrownAt(frame: GroupedFrame | undefined): string | null {
  if (!frame?.in_app) return null;
  const at = constructed.exec((lineOf(frame) ?? '').slice((frame.column ?? 1) - 1));
  const statement = [...(linesUpTo(frame, linesBefore) ?? '').matchAll(thrown)].at(-1);
  const name = at?.[1] ?? statement?.[1];
  return name === undefined ? null : lastName(name);
}

function lastName(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
