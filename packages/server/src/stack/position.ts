/** A position in code, parsed from `http://host/app.js:3:14`. */
export interface CodePosition {
  file: string;
  line: number;
  column: number | null;
}

const digit0 = 48;
const digit9 = 57;
/** A number of more than nine digits is an id, not a position. It would not fit a 32-bit integer. */
const maxPositionDigits = 9;

/**
 * Parses `file:line:column` or `file:line` from the end, because a URL may contain colons and digits. Returns null if
 * there is no line number. Written by hand instead of as a pattern because it is called for each line of a stack.
 */
export function readPosition(text: string): CodePosition | null {
  const last = numberStart(text, text.length);
  if (last === -1) return null;
  const lastNumber = Number(text.slice(last));
  const first = numberStart(text, last - 1);
  if (first === -1) return { file: text.slice(0, last - 1), line: lastNumber, column: null };
  return { file: text.slice(0, first - 1), line: Number(text.slice(first, last - 1)), column: lastNumber };
}

/** Returns the start of the number that ends at `end`. Returns -1 if no `text:` precedes it, or it is no position. */
function numberStart(text: string, end: number): number {
  let start = end;
  while (start > 0 && isDigitCode(text.charCodeAt(start - 1))) start -= 1;
  const found = start < end && end - start <= maxPositionDigits && start > 1 && text[start - 1] === ':';
  return found ? start : -1;
}

function isDigitCode(code: number): boolean {
  return code >= digit0 && code <= digit9;
}
