/**
 * Returns the index of the parenthesis that the last character of a text closes. In `checkout (src/my (copy)/cart.ts)`,
 * this is the first one. A space comes before it, because names contain parentheses, too. If none matches, returns the
 * index of the first parenthesis.
 */
export function openingParenthesis(text: string): number {
  let depth = 0;
  for (let at = text.length - 1; at >= 0; at--) {
    if (text[at] === ')') depth++;
    else if (text[at] === '(' && --depth === 0) return text[at - 1] === ' ' ? at : text.indexOf('(');
  }
  return text.indexOf('(');
}
