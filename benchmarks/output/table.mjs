/**
 * Formats a table: the first column aligned left, figures aligned right.
 *
 * @param {readonly string[]} head
 * @param {readonly (readonly string[])[]} rows
 */
export function table(head, rows) {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column].length)));
  const line = (/** @type {readonly string[]} */ cells) =>
    cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]) : cell.padStart(widths[at]))).join('   ');
  return [line(head), widths.map((width) => '─'.repeat(width)).join('───'), ...rows.map(line)].join('\n');
}

/**
 * @param {number} value
 * @param {number} [digits]
 */
export function figure(value, digits = 0) {
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
