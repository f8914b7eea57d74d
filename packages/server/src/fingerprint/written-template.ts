import { truncate } from '../text/truncate.ts';
import { errorKind } from './error-kind.ts';
import { bareName, isGuardName } from './function-name.ts';
import type { GroupedFrame } from './grouped-frame.ts';
import { protectDigits } from './protected-digits.ts';
import { lineOf } from './source-line.ts';

/** Longer lines, which tools generate, are truncated. */
const maxWrittenLineChars = 1_024;
const maxTemplateMessageChars = 1_600;
/** The minimum number of words in a literal. Literals with fewer words match many messages by chance. */
const minWords = 2;
/** The number of callers whose source is searched for a text that they passed. */
const maxSearchedCallers = 3;

/**
 * Returns the message with a placeholder for each value of the literal that it was made from, or null if no literal
 * matches. `Ferry ${name} is full` near the throw shows that `indigo` is a value, although it looks like a word. A
 * caller may have passed a text for `format`: `'Ferry %s is full'`, `'Ferry {name} is full'`. A value stays if a
 * developer probably wrote it: see `developerValueOf`. The words of a guard stay too: callers pass them, and engines
 * may elide the frames of these callers.
 */
export function writtenTemplate(message: string, frame: GroupedFrame, callers: readonly GroupedFrame[]): string | null {
  const match = matchNear(message, frame, callers);
  return match && toTemplate(match, valueSelector(frame, callers));
}

/** Returns whether a message contains words that the frame got from a caller, as `must(port, 'a port')` passes them. */
export function hasPassedWords(message: string, frame: GroupedFrame, callers: readonly GroupedFrame[]): boolean {
  const match = matchNear(message, frame, callers);
  const select = valueSelector(frame, callers);
  return match?.values.some((value, index) => select(value, match.expressions[index] ?? '') !== null) ?? false;
}

function matchNear(message: string, frame: GroupedFrame, callers: readonly GroupedFrame[]): Match | null {
  const near = [frame, ...callers.slice(0, maxSearchedCallers)];
  if (near.every(({ context }) => context.length === 0)) return null;
  const text = message.trim();
  if (text.length > maxTemplateMessageChars) return null;
  return bestLiteral(text, [...literalsNear(frame), ...near.flatMap(formatsNear)]);
}

function valueSelector(frame: GroupedFrame, callers: readonly GroupedFrame[]): SelectValue {
  const near = callers.slice(0, maxSearchedCallers);
  const isOfCaller = isGuardName(bareName(frame.function) ?? '');
  return (value, expression) => (isOfCaller && isWords(value) ? value : developerValueOf(value, expression, near));
}

/**
 * Works like `writtenTemplate` by the rules of version 1: only template literals, and a value of several words is kept.
 */
export function writtenTemplateV1(
  message: string,
  frame: GroupedFrame,
  callers: readonly GroupedFrame[],
): string | null {
  const text = message.trim();
  if (text.length > maxTemplateMessageChars) return null;
  const near = callers.slice(0, maxSearchedCallers);
  const best = bestLiteral(text, literalsNear(frame));
  return (
    best &&
    toTemplate(best, (value) => (isWords(value) || near.some((caller) => isQuotedIn(value, caller)) ? value : null))
  );
}

/** A literal, split at its values. */
interface TextLiteral {
  pieces: readonly string[];
  /** The expressions between the pieces: `response.status`. Empty if unknown, as that of `%s`. */
  expressions: readonly string[];
}

function bestLiteral(text: string, literals: readonly TextLiteral[]): Match | null {
  let best: Match | null = null;
  for (const literal of literals) {
    const match = matchLiteral(text, literal);
    if (match && (best === null || match.written > best.written)) best = match;
  }
  return best;
}

interface Match extends TextLiteral {
  /** The values between the pieces. */
  values: readonly string[];
  /** The number of characters of the message that the literal contains. */
  written: number;
}

/** Returns the text of a value that stays, or null. */
type SelectValue = (value: string, expression: string) => string | null;

function toTemplate({ pieces, expressions, values }: Match, select: SelectValue): string {
  const texts = values.map((value, index) => select(value, expressions[index] ?? '') ?? '<value>');
  return pieces.map((piece, index) => piece + (texts[index] ?? '')).join('');
}

/** An expression whose values are a closed list in the code: `response.status`, `event.type`, `errorKind`. */
const enumerated = /(?:status|kind|type)$/i;
/** A code is of a closed list only if it looks like one: `SLOT_TAKEN`, `ENOENT`, `E1001`, `404`. Others are ids. */
const coded = /code$/i;
const errorConstant = /^(?:[A-Z]{3,}|[A-Z][A-Z\d]*(?:[_-][A-Z\d]+)+|E[A-Z]{0,6}\d{1,5}|\d{3,4})$/;
const status = /^\d{3}$/;
const identifierPattern = /^[\p{L}_$][\p{L}\p{N}_$]{2,60}$/u;

/**
 * Returns a value if it is the developer's: one of a closed list by the name of its expression, a text that a caller
 * has quoted, the name of something that a caller uses, or an engine's message. Returns null for any other value.
 */
function developerValueOf(value: string, expression: string, callers: readonly GroupedFrame[]): string | null {
  if (isEnumerated(value, expression))
    return status.test(value) || errorConstant.test(value) ? protectDigits(value) : value;
  const isKnown = callers.some(
    (caller) => isQuotedIn(value, caller) || (identifierPattern.test(value) && isNameIn(value, caller)),
  );
  return isKnown || (isWords(value) && errorKind(value) !== null) ? value : null;
}

function isEnumerated(value: string, expression: string): boolean {
  return enumerated.test(expression) || (coded.test(expression) && errorConstant.test(value));
}

function isWords(value: string): boolean {
  return /\p{L}\s+\p{L}/u.test(value);
}

/** Returns whether the line of a frame contains this name as a whole word. */
function isNameIn(name: string, frame: GroupedFrame): boolean {
  const words = truncate(lineOf(frame) ?? '', maxWrittenLineChars).match(/[\p{L}\p{N}_$]+/gu);
  return words?.includes(name) ?? false;
}

function isQuotedIn(value: string, { context }: GroupedFrame): boolean {
  return context.some(({ text }) => ["'", '"', '`'].some((mark) => text.includes(mark + value + mark)));
}

/** Matches the pieces against the whole text, in order. Returns null if they do not match. */
function matchLiteral(text: string, { pieces, expressions }: TextLiteral): Match | null {
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
  return { pieces, expressions, values, written: pieces.join('').length };
}

/** Returns the template literals with values and words around a frame, each split at its values. */
function literalsNear(frame: GroupedFrame): readonly TextLiteral[] {
  let literals = literalsByFrame.get(frame);
  if (!literals) literalsByFrame.set(frame, (literals = readLiterals(frame)));
  return literals;
}

/** Literals by frame. A repeated stack has the same frame objects. */
const literalsByFrame = new WeakMap<GroupedFrame, readonly TextLiteral[]>();

function readLiterals({ context }: GroupedFrame): TextLiteral[] {
  const code = context.map(({ text }) => truncate(text, maxWrittenLineChars)).join('\n');
  if (!code.includes('${')) return [];
  const found: TextLiteral[] = [];
  for (let at = code.indexOf('`'); at !== -1;) {
    const { literal, end } = readLiteral(code, at + 1);
    if (hasWords(literal)) found.push(literal);
    at = code.indexOf('`', end);
  }
  return found;
}

function hasWords({ pieces }: TextLiteral): boolean {
  const words = pieces.join(' ').match(/\p{L}{3,}/gu)?.length ?? 0;
  return pieces.length > 1 && words >= minWords;
}

/**
 * Parses the literal whose text begins at `start`, after its first backtick. `end` is the index after its last
 * backtick. A nested literal ends the outer one early, which then matches nothing.
 */
function readLiteral(code: string, start: number): { literal: TextLiteral; end: number } {
  const pieces: string[] = [];
  const expressions: string[] = [];
  let piece = '';
  let depth = 0;
  let valueStart = start;
  let at = start;
  for (; at < code.length && code[at] !== '`'; at++) {
    if (depth > 0) {
      depth += code[at] === '{' ? 1 : code[at] === '}' ? -1 : 0;
      if (depth === 0) expressions.push(code.slice(valueStart, at).trim());
    } else if (code.startsWith('${', at)) {
      pieces.push(piece);
      piece = '';
      depth = 1;
      valueStart = ++at + 1;
    } else piece += code[at] === '\\' ? (code[++at] ?? '') : code[at];
  }
  return { literal: { pieces: [...pieces, piece], expressions }, end: at + 1 };
}

/**
 * A value in a text for `printf`, and one in a text for translation: `%s`, `%d`, `%1$s`, `{name}`, `{0}`, `{{name}}`.
 */
const formatValue = /%(?:\d{1,2}\$)?[sdifoOj]|\{\{?\s?([\w.]{1,60})\s?\}?\}/;
const quoted = /"([^"\\\n]{1,300})"|'([^'\\\n]{1,300})'/g;
const formatsByFrame = new WeakMap<GroupedFrame, readonly TextLiteral[]>();

/** Returns the texts with values for a formatting function around a frame. */
function formatsNear(frame: GroupedFrame): readonly TextLiteral[] {
  let formats = formatsByFrame.get(frame);
  if (!formats) formatsByFrame.set(frame, (formats = frame.context.flatMap(({ text }) => formatsIn(text))));
  return formats;
}

function formatsIn(line: string): TextLiteral[] {
  const code = truncate(line, maxWrittenLineChars);
  if (!/[%{]/.test(code)) return [];
  return [...code.matchAll(quoted)].flatMap(([, double, single]) => {
    // The name of each value is between two pieces.
    const parts = (double ?? single ?? '').split(formatValue);
    const literal = {
      pieces: parts.filter((_, index) => index % 2 === 0),
      expressions: parts.filter((_, index) => index % 2 === 1).map((name) => name ?? ''),
    };
    return hasWords(literal) ? [literal] : [];
  });
}
