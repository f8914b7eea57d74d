/**
 * Returns the first position at which a statement can be inserted without changing the meaning of the script: after a
 * byte order mark, a `#!` line, and directives such as `"use strict"`, which have no effect after a statement.
 */
export function findInsertion(code: string): number {
  const start = /^\uFEFF?(?:#![^\n\r\u2028\u2029]*(?:\r\n|[\n\r\u2028\u2029])?)?/.exec(code)?.[0].length ?? 0;
  let found = start;
  for (let at = start; ;) {
    const end = directiveEnd(code, skipBlank(code, at));
    if (end === null) return found;
    found = at = end;
  }
}

/** Returns the position after white space and comments. */
function skipBlank(code: string, at: number): number {
  blank.lastIndex = at;
  blank.test(code);
  return blank.lastIndex;
}

const blank = /(?:\s|\/\/[^\n\r\u2028\u2029]*|\/\*[^]*?\*\/)*/y;
const text = /"(?:[^"\\\n\r]|\\[^])*"|'(?:[^'\\\n\r]|\\[^])*'/y;
/** A token that continues an expression, even on the next line. */
const operator = /[.,([+\-*/%&|^=<>?:`!]|in\b|instanceof\b/y;

/** Returns the end of the directive at a position, or null if there is no directive. */
function directiveEnd(code: string, at: number): number | null {
  text.lastIndex = at;
  if (!text.test(code)) return null;
  const end = text.lastIndex;
  const next = skipBlank(code, end);
  if (next >= code.length) return end;
  if (code[next] === ';') return next + 1;
  if (code[next] === '}') return end;
  operator.lastIndex = next;
  // A new line ends the directive, unless the expression continues.
  return /[\n\r\u2028\u2029]/.test(code.slice(end, next)) && !operator.test(code) ? end : null;
}
