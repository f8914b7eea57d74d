/**
 * Tells what is being done. On the error stream, so that standard output holds the results alone.
 *
 * @param {string} text
 */
export function progress(text) {
  console.error(`  ${text}`);
}
