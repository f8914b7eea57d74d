/** Where code stands: `http://host/app.js:3:14`, taken apart. */
export interface Location {
  file: string;
  line: number;
  column: number | null;
}

const digit0 = 48;
const digit9 = 57;
/** Past nine digits a number is no position but an id, and would not fit an integer column of a map. */
const maxDigits = 9;

/**
 * Reads `file:line:column` or `file:line` from the end, where nothing a URL may contain is in the way. Null without a
 * line number. By hand rather than by pattern: it is called for every line of every report.
 */
export function readLocation(text: string): Location | null {
  const last = numberStart(text, text.length);
  if (last === -1) return null;
  const lastNumber = Number(text.slice(last));
  const first = numberStart(text, last - 1);
  if (first === -1) return { file: text.slice(0, last - 1), line: lastNumber, column: null };
  return { file: text.slice(0, first - 1), line: Number(text.slice(first, last - 1)), column: lastNumber };
}

/** Where the digits that end at `end` begin, if a colon stands before them and something before the colon; else -1. */
function numberStart(text: string, end: number): number {
  let start = end;
  while (start > 0 && isDigit(text.charCodeAt(start - 1))) start -= 1;
  const found = start < end && end - start <= maxDigits && start > 1 && text[start - 1] === ':';
  return found ? start : -1;
}

function isDigit(code: number): boolean {
  return code >= digit0 && code <= digit9;
}
