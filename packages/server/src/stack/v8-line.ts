import { readLocation } from './location.ts';
import type { StackFrame } from './stack-frame.ts';

/**
 * Reads a line of V8 (Chromium, Node, Hermes), trimmed: `at fn (url:1:2)`, `at url:1:2`, `at async fn (…)`,
 * `at new Foo (…)`, `at eval (eval at fn (url:1:2), <anonymous>:3:4)`, `at Array.map (<anonymous>)`.
 * Null when it is none, such as a line of a message that happens to begin with "at".
 */
export function readV8Line(line: string): StackFrame | null {
  const told = line.slice('at '.length);
  const isAsync = told.startsWith('async ');
  const call = isAsync ? told.slice('async '.length) : told;

  // The first parenthesis opens the place: names have none, but the place of an eval holds further ones.
  const open = call.endsWith(')') ? call.indexOf('(') : -1;
  const frame = open === -1 ? frameAt('', call) : frameAt(call.slice(0, open).trimEnd(), call.slice(open + 1, -1));
  if (frame !== null && isAsync) frame.async = true;
  return frame;
}

function frameAt(name: string, place: string): StackFrame | null {
  const fn = name === '' || name === '<anonymous>' ? null : name;
  if (place.startsWith('eval at ')) return evalFrame(fn, place);
  if (isNative(place)) return { function: fn, file: null, line: null, column: null, native: true };

  const location = readLocation(place.startsWith('address at ') ? place.slice('address at '.length) : place);
  if (location !== null) {
    const file = location.file === '<anonymous>' ? null : location.file;
    return { function: fn, file, line: location.line, column: location.column };
  }
  return place.startsWith('wasm://') ? { function: fn, file: place, line: null, column: null } : null;
}

function isNative(place: string): boolean {
  return place === '<anonymous>' || place === 'native' || place.startsWith('native ') || /^index \d{1,9}$/.test(place);
}

/** `eval at fn (url:1:2), <anonymous>:3:4`: only what comes last is told of the text that was evaluated. */
function evalFrame(fn: string | null, place: string): StackFrame {
  const location = readLocation(place);
  return { function: fn, file: null, line: location?.line ?? null, column: location?.column ?? null, eval: true };
}
