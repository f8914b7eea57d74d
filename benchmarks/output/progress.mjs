/**
 * Prints progress to the error stream, so that standard output contains only the results.
 *
 * @param {string} text
 */
export function progress(text) {
  console.error(`  ${text}`);
}
