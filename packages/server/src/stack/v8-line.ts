import { openingParenthesis } from '../text/opening-parenthesis.ts';
import { readPosition } from './position.ts';
import type { StackFrame } from './stack-frame.ts';

/**
 * Parses a trimmed line of V8 (Chromium, Node) or Hermes: `at fn (url:1:2)`, `at url:1:2`, `at async fn (…)`,
 * `at new Foo (…)`, `at eval (eval at fn (url:1:2), <anonymous>:3:4)`, `at Array.map (<anonymous>)`. Also parses the
 * format of old Edge: `at Anonymous function (…)`, `at eval code (eval code:1:2)`.
 * Returns null if the line is not a frame, such as a line of a message that begins with "at".
 */
export function readV8Line(line: string): StackFrame | null {
  // `util.inspect` of Node writes properties of the error in braces after the last frame.
  const text = line.slice('at '.length, line.endsWith(' {') ? -' {'.length : undefined);
  const isAsync = text.startsWith('async ');
  const call = isAsync ? text.slice('async '.length) : text;

  const open = call.endsWith(')') ? openingParenthesis(call) : -1;
  const frame = open === -1 ? toFrame('', call) : toFrame(call.slice(0, open).trimEnd(), call.slice(open + 1, -1));
  if (frame !== null && isAsync) frame.async = true;
  return frame;
}

/** Names that engines give to functions without a name and to code outside of functions. */
const nameless = new Set(['', '<anonymous>', 'Anonymous function', 'Global code']);
/** A position in a WebAssembly module: `https://shop.example/app.wasm:wasm-function[12]:0x3a4`. */
const webAssembly = /:wasm-function\[\d{1,9}\]:0x[0-9a-f]{1,9}$/;
/** A script without a line. Any other URL may be a word of a message: `at https://shop.example/help`. */
const scriptUrl = /^[a-z][a-z0-9+.-]{1,30}:\/\/[^\s()]+\.[cm]?[jt]sx?(?:[?#][^\s()]*)?$/i;
const unknownPosition = /^(?:unknown (?:source|location)|unknown)$/;

function toFrame(name: string, source: string): StackFrame | null {
  const fn = nameless.has(name) ? null : name;
  if (source.startsWith('eval at ') || source.startsWith('eval code')) return evalFrame(fn, source);
  if (isNative(source)) return { function: fn, file: null, line: null, column: null, native: true };

  const position = readPosition(source.startsWith('address at ') ? source.slice('address at '.length) : source);
  if (position !== null) {
    const file = position.file === '<anonymous>' ? null : position.file;
    return { function: fn, file, line: position.line, column: position.column };
  }
  if (source.startsWith('wasm://') || webAssembly.test(source))
    return { function: fn, file: source, line: null, column: null };
  if (scriptUrl.test(source)) return { function: fn, file: source, line: null, column: null };
  return unknownPosition.test(source) && fn !== null ? { function: fn, file: null, line: null, column: null } : null;
}

function isNative(source: string): boolean {
  return (
    source === '<anonymous>' || source === 'native' || source.startsWith('native ') || /^index \d{1,9}$/.test(source)
  );
}

/**
 * Parses `eval at fn (url:1:2), <anonymous>:3:4`: the last part is a position in the evaluated text, which has no file.
 * The frame gets the position in the script that evaluated it. In `eval at f (eval at g (url:1:2), …), …` that is the
 * innermost one.
 */
function evalFrame(fn: string | null, source: string): StackFrame {
  const open = source.lastIndexOf('(');
  const close = source.indexOf(')', open);
  const site = open === -1 || close === -1 ? null : readPosition(source.slice(open + 1, close));
  if (site !== null && site.file !== '<anonymous>')
    return { function: fn, file: site.file, line: site.line, column: site.column, eval: true };
  const position = readPosition(source);
  return { function: fn, file: null, line: position?.line ?? null, column: position?.column ?? null, eval: true };
}
