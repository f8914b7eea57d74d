import type { Frame } from '@service/protocol';
import { normalizePath } from '../fingerprint/file-path.ts';
import { escapeRegExp } from '../text/escape-regexp.ts';
import { nextLineStartOf } from '../text/line-starts.ts';
import type { MapSource } from './map-reader.ts';
import type { SourceText } from './source-text.ts';

/** A function of the app, with the file and name that its frame key has. */
export interface Callee {
  /** In the format of `normalizePath`. */
  file: string;
  function: string;
}

/** Larger files are bundles, in which the source reveals nothing. */
const maxCalleeSourceBytes = 512 * 1024;
const maxImports = 500;
const importChars = 2_000;

/** A call: `format(`, `Cart.total(`, or one with simple types: `read<Cart>(`. */
const callPattern = /^([A-Za-z_$][\w$]*)(?:\.([A-Za-z_$][\w$]*))?(?:<[\w$.[\], ]{1,100}>)?\(/;
const keywords = new Set(
  'await case catch else for function if import new return super switch throw typeof while'.split(' '),
);

/**
 * Returns the app's function that a top frame calls and whose frame the engine elided, or null if the source does not
 * show it.
 *
 * JavaScriptCore keeps no frame of a function that ends in a call, as in `return JSON.parse(text)` (proper tail calls).
 * The reported top frame is then at the call of a function that is missing from the stack. The error occurred in that
 * function, as other engines report. The function is found in the source: by the called name, and the file from which
 * the name is imported. Rejects as `sources` and `text` of a source do.
 */
export async function elidedCallee(
  frame: Frame,
  source: SourceText,
  sources: () => Promise<readonly MapSource[]>,
): Promise<Callee | null> {
  const called = calledAt(frame);
  if (called === null || source.bytes > maxCalleeSourceBytes) return null;
  const text = await source.text();
  if (text === null) return null;
  const file = normalizePath(source.file);
  if (defines(text, called)) return { file, function: functionOf(called) };

  const imported = importOf(text, called.name);
  if (imported === null) return null;
  const paths = pathsOf(file, imported.from);
  const found = (await sources()).find(({ path, bytes }) => paths.has(path) && bytes <= maxCalleeSourceBytes);
  const there = (await found?.text()) ?? null;
  const original = originalOf(called, imported.name);
  if (!found || there === null || original === null || !defines(there, original)) return null;
  return { file: found.path, function: functionOf(original) };
}

/** The text before a call that is searched for the parameters of its function. */
const headerChars = 1_500;
/** A callback that only calls a function: `() => parse(text)`. */
const passedCall = /^[^\n]{0,300}?=>\s*(?:await\s+)?/;

/** Returns whether a frame calls a parameter of its function, as in `function measured(name, work) { work(); }`. */
export async function callsParameter(frame: Frame, source: SourceText): Promise<boolean> {
  const called = calledAt(frame);
  if (called === null || called.member !== null || source.bytes > maxCalleeSourceBytes) return false;
  const text = await source.text();
  if (text === null || defines(text, called) || importOf(text, called.name) !== null) return false;
  let lineStart = 0;
  for (let line = 1; line < (frame.line ?? 1) && lineStart < text.length; line++)
    lineStart = nextLineStartOf(text, lineStart);
  const before = text.slice(0, lineStart + (frame.column ?? 1) - 1);
  return new RegExp(`[(,{]\\s{0,99}${escapeRegExp(called.name)}\\s{0,9}(?:\\?\\s?:|[,)}=:])`).test(
    before.slice(-headerChars),
  );
}

/** Returns the frame at the call in the callback that a frame's line passes on, or null if there is no such call. */
export function passedCallOf(frame: Frame): Frame | null {
  const text = frame.context.find(({ line }) => line === frame.line)?.text;
  if (text === undefined || frame.column === null) return null;
  const callback = passedCall.exec(text.slice(frame.column - 1))?.[0];
  return callback === undefined ? null : { ...frame, column: frame.column + callback.length };
}

interface Called {
  name: string;
  /** The member, such as `total` of `Cart.total(…)`. */
  member: string | null;
}

function functionOf({ name, member }: Called): string {
  return member === null ? name : `${name}.${member}`;
}

/** Returns the name in the imported file: `total` for `cart.total(…)` if the whole file is imported as `cart`. */
function originalOf({ member }: Called, name: string): Called | null {
  if (name !== '*') return { name, member };
  return member === null ? null : { name: member, member: null };
}

function calledAt({ line, column, context }: Frame): Called | null {
  const text = context.find((one) => one.line === line)?.text;
  if (text === undefined || column === null) return null;
  const before = text.slice(Math.max(0, column - 20), column - 1);
  if (/[\w$.]$|\b(?:new|function)\s+$/.test(before)) return null;
  const [, name, member = null] = callPattern.exec(text.slice(column - 1, column + 300)) ?? [];
  return name === undefined || keywords.has(name) ? null : { name, member };
}

/**
 * Returns whether the text declares such a function, or a class with such a method. The methods of other objects cannot
 * be found by reading.
 */
function defines(text: string, { name, member }: Called): boolean {
  const word = member === null ? 'function\\s{0,9}\\*?|const|let|var' : 'class';
  return new RegExp(`\\b(?:${word})\\s{1,9}${escapeRegExp(name)}(?![\\w$])`).test(text);
}

/** Returns the file that a name is imported from, and its name there. `*` means the whole file. */
function importOf(text: string, name: string): { from: string; name: string } | null {
  let imports = 0;
  for (const { 1: from = '', index } of text.matchAll(/\bfrom\s{0,9}["'](\.{1,2}\/[^"'\n]{1,300})["']/g)) {
    if (++imports > maxImports) return null;
    const head = text.slice(Math.max(0, index - importChars), index);
    const names = head.slice(head.lastIndexOf('import'));
    const found = new RegExp(
      `(?:(?<![\\w$*])([\\w$*]+)\\s+as\\s+)?(?<![\\w$])${escapeRegExp(name)}\\s*(?:[,}]|$)`,
    ).exec(names);
    if (found) return { from, name: found[1] ?? name };
  }
  return null;
}

/** Returns the possible paths of an imported file. Imports omit the extension, or name that of the compiled file. */
function pathsOf(importer: string, from: string): Set<string> {
  const parts = importer.split('/').slice(0, -1);
  for (const part of from.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  const plain = normalizePath(parts.join('/'));
  const bare = plain.replace(/\.[cm]?jsx?$/, '');
  const endings = ['.ts', '.tsx', '.mts', '.js', '.jsx', '.mjs', '/index.ts', '/index.tsx', '/index.js'];
  return new Set([plain, ...endings.map((ending) => bare + ending)]);
}
