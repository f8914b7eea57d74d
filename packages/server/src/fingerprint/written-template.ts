import { truncate } from '../text/truncate.ts';
import type { GroupedFrame } from './grouped-frame.ts';

/** Longer lines, which tools generate, are truncated. */
const maxWrittenLineChars = 1_024;
const maxTemplateMessageChars = 1_600;
/** The minimum number of words in a literal. Literals with fewer words match many messages by chance. */
const minWords = 2;
/** The number of callers whose source is searched for a text that they passed. */
const callersSearched = 3;

/**
 * Returns the message with a placeholder for each value of the template literal near the throw, or null if no literal
 * matches. `Ferry ${code} is full` shows that `indigo` is a value, although it looks like a word. A value is kept
 * if a developer probably wrote it: several words, or a string literal in the source of a caller.
 */
export function writtenTemplate(message: string, frame: GroupedFrame, callers: readonly GroupedFrame[]): string | null {
  const text = message.trim();
  if (text.length > maxTemplateMessageChars) return null;
  let best: Match | null = null;
  for (const pieces of literalsNear(frame)) {
    const match = matchPieces(text, pieces);
    if (match && (best === null || match.written > best.written)) best = match;
  }
  return best && toTemplate(best, callers.slice(0, callersSearched));
}

interface Match {
  pieces: readonly string[];
  /** The values between the pieces. */
  values: readonly string[];
  /** The number of characters of the message that the literal contains. */
  written: number;
}

function toTemplate({ pieces, values }: Match, callers: readonly GroupedFrame[]): string {
  return pieces.map((piece, index) => piece + valueText(values[index], callers)).join('');
}

function valueText(value: string | undefined, callers: readonly GroupedFrame[]): string {
  if (value === undefined) return '';
  const isWords = /\p{L}\s+\p{L}/u.test(value) || callers.some((caller) => isQuotedIn(value, caller));
  return isWords ? value : '<value>';
}

function isQuotedIn(value: string, { context }: GroupedFrame): boolean {
  return context.some(({ text }) => ["'", '"', '`'].some((mark) => text.includes(mark + value + mark)));
}

/** Matches the pieces against the whole text, in order. Returns null if they do not match. */
function matchPieces(text: string, pieces: readonly string[]): Match | null {
  const [first = '', ...others] = pieces;
  if (!text.startsWith(first)) return null;
  const values: string[] = [];
  let at = first.length;
  for (const [index, piece] of others.entries()) {
    const isLast = index === others.length - 1;
    const found = isLast ? text.length - piece.length : text.indexOf(piece, at);
    if (found < at || !text.startsWith(piece, found)) return null;
    values.push(text.slice(at, found));
    at = found + piece.length;
  }
  return { pieces, values, written: pieces.join('').length };
}

/** Returns the template literals with values and words around a frame, each split at its values. */
function literalsNear(frame: GroupedFrame): readonly string[][] {
  let literals = literalsByFrame.get(frame);
  if (!literals) literalsByFrame.set(frame, (literals = readLiterals(frame)));
  return literals;
}

/** Literals by frame. A repeated stack has the same frame objects. */
const literalsByFrame = new WeakMap<GroupedFrame, readonly string[][]>();

function readLiterals({ context }: GroupedFrame): string[][] {
  const code = context.map(({ text }) => truncate(text, maxWrittenLineChars)).join('\n');
  if (!code.includes('${')) return [];
  const found: string[][] = [];
  for (let at = code.indexOf('`'); at !== -1;) {
    const { pieces, end } = readLiteral(code, at + 1);
    const words = pieces.join(' ').match(/\p{L}{3,}/gu)?.length ?? 0;
    if (pieces.length > 1 && words >= minWords) found.push(pieces);
    at = code.indexOf('`', end);
  }
  return found;
}

/**
 * Parses a literal that begins after its first backtick and ends after its last. A literal within a value ends it
 * early; then it matches nothing.
 */
function readLiteral(code: string, start: number): { pieces: string[]; end: number } {
  const pieces: string[] = [];
  let piece = '';
  let depth = 0;
  let at = start;
  for (; at < code.length && code[at] !== '`'; at++) {
    if (depth > 0) depth += code[at] === '{' ? 1 : code[at] === '}' ? -1 : 0;
    else if (code.startsWith('${', at)) {
      pieces.push(piece);
      piece = '';
      depth = 1;
      at++;
    } else piece += code[at] === '\\' ? (code[++at] ?? '') : code[at];
  }
  return { pieces: [...pieces, piece], end: at + 1 };
}
