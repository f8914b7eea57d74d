import type { GroupedFrame } from './grouped-frame.ts';
import { lineOf } from './source-line.ts';
import { literalsOf, type Literal } from './python-literals.ts';

const maxMessageChars = 1_600;
/** The maximum number of lines of a `raise`, including its first. */
const maxRaiseLines = 6;
/** The number of callers whose source is searched for a text that they passed. */
const maxSearchedPythonCallers = 3;
/** The minimum number of letters of the literals. Fewer letters occur in a message by chance. */
const minWritten = 3;

/**
 * Returns the code of the statement at a frame: its line, and the next ones until all brackets are closed, if they are
 * known. Returns null if the source is unknown.
 */
export function statementAt(frame: GroupedFrame): string | null {
  const line = lineOf(frame);
  if (line === null || frame.line === null) return line;
  let code = line;
  for (let below = 1; below < maxRaiseLines && openBrackets(code) > 0; below++) {
    const next = frame.context.find(({ line: at }) => at === (frame.line ?? 0) + below);
    if (next === undefined) break;
    code += `\n${next.text}`;
  }
  return code;
}

function openBrackets(code: string): number {
  let open = 0;
  for (const char of code) open += '([{'.includes(char) ? 1 : ')]}'.includes(char) ? -1 : 0;
  return open;
}

/**
 * Returns the message with a placeholder for each value, or null if no string literal of the statement, or of the
 * callers, is part of it. `f'no {name} left'` shows that `tea` is a value in `no tea left`. A value that a caller
 * quotes stays: a developer wrote it, too.
 */
export function raisedTemplate(message: string, statement: string, callers: readonly GroupedFrame[]): string | null {
  const text = message.trim().slice(0, maxMessageChars);
  const raised = literalsOf(statement);
  const passed = callers.slice(0, maxSearchedPythonCallers).flatMap((caller) => literalsOf(lineOf(caller) ?? ''));
  return (
    bestMatch(text, [raised, ...raised.map((one) => [one])], passed) ??
    bestMatch(
      text,
      passed.map((one) => [one]),
      passed,
    )
  );
}

/** Returns the template with the most letters that a developer wrote, or null if there are too few. */
function bestMatch(
  text: string,
  candidates: readonly (readonly Literal[])[],
  quoted: readonly Literal[],
): string | null {
  let best = { template: '', written: minWritten - 1 };
  for (const literals of candidates) {
    const match = matchLiterals(text, literals, quoted);
    if (match.written > best.written) best = match;
  }
  return best.written < minWritten ? null : best.template;
}

/** Matches the pieces of the literals in their order, and skips those that are not in the text. */
function matchLiterals(
  text: string,
  literals: readonly Literal[],
  quoted: readonly Literal[],
): { template: string; written: number } {
  let template = '';
  let at = 0;
  let written = 0;
  for (const piece of literals.flat()) {
    const found = piece.trim() === '' ? -1 : text.indexOf(piece, at);
    if (found === -1) continue;
    template += writtenValue(text.slice(at, found), quoted) + piece;
    at = found + piece.length;
    written += piece.match(/\p{L}/gu)?.length ?? 0;
  }
  return { template: template + writtenValue(text.slice(at), quoted), written };
}

function writtenValue(value: string, quoted: readonly Literal[]): string {
  if (value === '') return '';
  const isWritten =
    /\p{L}{2}/u.test(value) && quoted.some((pieces) => pieces.length === 1 && pieces[0] === value.trim());
  return isWritten ? value : '<value>';
}
