import { readPosition } from './position.ts';
import type { StackFrame } from './stack-frame.ts';

const nativeCode = '[native code]';
const urlScheme = /^[a-z][a-z0-9+.-]{1,30}:/i;
/**
 * Names with a space: JavaScriptCore's names of code outside of functions, and accessors, bound or static functions.
 * Any other name with a space is prose.
 */
const spacedName = /^(?:(?:global|eval|module) code|(?:get|set|bound|static) \S+)$/;
const evaluatedCode = / line \d+ > [A-Za-z]|^debugger eval code$/;
/** The engine's own code, as SpiderMonkey and JavaScriptCore report it. */
const engineCode = /^(?:self-hosted:|\[(?:native|wasm) code\]$)/;
const webAssemblyPosition = /:wasm-function\[\d{1,9}\]:0x[0-9a-f]{1,9}$/;

/**
 * Parses a trimmed line of SpiderMonkey (Firefox) or JavaScriptCore (Safari): `fn@url:1:2`, `@url:1:2`, `url:1:2`,
 * `async*fn@…`, `fn@url line 1 > eval:3:4`, `forEach@[native code]`, `fn@`. Old versions: `fn(1,"a")@url:1`.
 * Returns null if the line is not a frame.
 */
export function readAtSignLine(line: string): StackFrame | null {
  const at = positionStart(line);
  if (at === -1) return bareFrame(line);

  const name = line.slice(0, at);
  const source = line.slice(at + 1);
  if (engineCode.test(source)) return namedFrame(name, null, null, null, 'native');
  if (webAssemblyPosition.test(source)) return namedFrame(name, source, null, null);
  // For code from `eval` and for tail calls JavaScriptCore gives a name and no position.
  if (source === '') return isName(name) ? namedFrame(name, null, null, null) : null;

  const position = readPosition(source);
  // `Error: mail to me@host:80:1` is a sentence, not a frame.
  if (position === null || name.includes(': ')) {
    return startsPosition(source) && isName(name) && !source.includes(' ')
      ? namedFrame(name, source, null, null)
      : null;
  }
  if (evaluatedCode.test(position.file)) return namedFrame(name, null, position.line, position.column, 'eval');
  return namedFrame(name, position.file, position.line, position.column);
}

/**
 * Returns the index of the `@` between name and position. It is not always the first `@`: Firefox puts paths into
 * names (`node_modules/pkg@4/x.js/fn<@http://…`). Nor is it always the last: URLs contain `@`, too
 * (`fn@https://cdn/pkg@4/x.js`).
 */
function positionStart(line: string): number {
  const first = line.indexOf('@');
  for (let at = first; at !== -1; at = line.indexOf('@', at + 1)) {
    if (startsPosition(line.slice(at + 1, at + 33))) return at;
  }
  return first;
}

function startsPosition(text: string): boolean {
  return (
    text === '' || text[0] === '/' || text.startsWith('[native') || text.startsWith('[wasm') || urlScheme.test(text)
  );
}

function isName(text: string): boolean {
  return !text.includes(' ') || spacedName.test(text);
}

/** Parses a line without `@`: old Safari omits it for code outside of functions. */
function bareFrame(line: string): StackFrame | null {
  if (line === nativeCode) return namedFrame('', null, null, null, 'native');
  if (!urlScheme.test(line) || line.includes(' ')) return null;
  const position = readPosition(line);
  return position && namedFrame('', position.file, position.line, position.column);
}

function namedFrame(
  text: string,
  file: string | null,
  line: number | null,
  column: number | null,
  flag?: 'native' | 'eval',
): StackFrame {
  // In `promise callback*fn` the part before the star scheduled this frame. It did not call it.
  const star = text.lastIndexOf('*');
  const name = withoutArguments(text.slice(star + 1));
  const frame: StackFrame = { function: name === '' ? null : name, file, line, column };
  if (star !== -1) frame.async = true;
  if (flag) frame[flag] = true;
  return frame;
}

/** Removes the arguments of a call. Firefox reported them until version 14. */
function withoutArguments(name: string): string {
  return name.endsWith(')') ? name.slice(0, Math.max(0, name.indexOf('('))) : name;
}
