import { readLocation } from './location.ts';
import type { StackFrame } from './stack-frame.ts';

/**
 * Reads a line of V8 (Chromium, Node, Hermes), trimmed: `at fn (url:1:2)`, `at url:1:2`, `at async fn (…)`,
 * `at new Foo (…)`, `at eval (eval at fn (url:1:2), <anonymous>:3:4)`, `at Array.map (<anonymous>)`; and of engines that
 * write as it does: old Edge's `at Anonymous function (…)`, `at eval code (eval code:1:2)`. Null when it is none, such as a line of a message that happens to begin with "at".
 */
export function readV8Line(line: string): StackFrame | null {
  const text = line.slice('at '.length);
  const isAsync = text.startsWith('async ');
  const call = isAsync ? text.slice('async '.length) : text;

  // The first parenthesis opens the place: names have none, but the place of an eval holds further ones.
  const open = call.endsWith(')') ? call.indexOf('(') : -1;
  const frame = open === -1 ? frameAt('', call) : frameAt(call.slice(0, open).trimEnd(), call.slice(open + 1, -1));
  if (frame !== null && isAsync) frame.async = true;
  return frame;
}

/** What engines call code without a function, or a function without a name. */
const nameless = new Set(['', '<anonymous>', 'Anonymous function', 'Global code']);
/** Where in a module of WebAssembly: `https://shop.example/app.wasm:wasm-function[12]:0x3a4`. */
const webAssembly = /:wasm-function\[\d{1,9}\]:0x[0-9a-f]{1,9}$/;
const unknownLocation = /^(?:unknown (?:source|location)|unknown)$/;

function frameAt(name: string, source: string): StackFrame | null {
  const fn = nameless.has(name) ? null : name;
  if (source.startsWith('eval at ') || source.startsWith('eval code')) return evalFrame(fn, source);
  if (isNative(source)) return { function: fn, file: null, line: null, column: null, native: true };

  const location = readLocation(source.startsWith('address at ') ? source.slice('address at '.length) : source);
  if (location !== null) {
    const file = location.file === '<anonymous>' ? null : location.file;
    return { function: fn, file, line: location.line, column: location.column };
  }
  if (source.startsWith('wasm://') || webAssembly.test(source))
    return { function: fn, file: source, line: null, column: null };
  return unknownLocation.test(source) && fn !== null ? { function: fn, file: null, line: null, column: null } : null;
}

function isNative(source: string): boolean {
  return (
    source === '<anonymous>' || source === 'native' || source.startsWith('native ') || /^index \d{1,9}$/.test(source)
  );
}

/** `eval at fn (url:1:2), <anonymous>:3:4`: only what comes last is told of the text that was evaluated. */
function evalFrame(fn: string | null, source: string): StackFrame {
  const location = readLocation(source);
  return { function: fn, file: null, line: location?.line ?? null, column: location?.column ?? null, eval: true };
}
