/** The start of a string literal of Python: its prefix and its quote. */
const literal = /(?<!\w)([bfru]{0,2})("""|'''|"|')/gi;
/** A value in a text for the operator `%`. */
const percentValue = /%(?:\(\w{1,60}\))?[#0\- +]?(?:\d{1,9}|\*)?(?:\.\d{1,9})?[diouxXeEfFgGcrsa]/g;
const maxLiterals = 20;

/** A string literal of Python, split at its values: `['coupon ', ' does not exist']`. */
export type Literal = readonly string[];

/**
 * Returns the first string literals of some Python code. If the code is cut off within a literal, the literal ends
 * there.
 */
export function literalsOf(code: string): Literal[] {
  const found: Literal[] = [];
  literal.lastIndex = 0;
  for (let match = literal.exec(code); match && found.length < maxLiterals; match = literal.exec(code)) {
    const [, prefix = '', quote = ''] = match;
    const isRaw = /r/i.test(prefix);
    const end = endOfLiteral(code, literal.lastIndex, quote);
    found.push(literalPieces(code.slice(literal.lastIndex, end), { isRaw, isFormatted: /f/i.test(prefix) }));
    literal.lastIndex = Math.min(code.length, end + quote.length);
  }
  return found;
}

function endOfLiteral(code: string, start: number, quote: string): number {
  for (let at = start; at < code.length; at++) {
    if (code[at] === '\\') at++;
    else if (code.startsWith(quote, at)) return at;
  }
  return code.length;
}

/** Splits the text of a literal at its values. Without a value, the literal has one piece. */
function literalPieces(text: string, { isRaw, isFormatted }: { isRaw: boolean; isFormatted: boolean }): Literal {
  const plain = isRaw ? text : text.replace(/\\(["'\\])/g, '$1').replaceAll('\\n', '\n');
  return isFormatted || /\{[\w.!:[\]]{0,60}\}/.test(plain)
    ? splitAtBraces(plain)
    : plain.split(percentValue).map((piece) => piece.replaceAll('%%', '%'));
}

/** Splits at `{value}`. Two braces are one brace of the text. Braces within a value are counted. */
function splitAtBraces(text: string): string[] {
  const pieces: string[] = [];
  let piece = '';
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (depth === 0 && (char === '{' || char === '}') && text[at + 1] === char) piece += text.charAt(at++);
    else if (char === '{') {
      if (depth++ > 0) continue;
      pieces.push(piece);
      piece = '';
    } else if (char === '}' && depth > 0) depth--;
    else if (depth === 0) piece += char;
  }
  return [...pieces, piece];
}
