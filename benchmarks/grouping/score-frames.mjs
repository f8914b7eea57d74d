/**
 * Returns the percentages of frames with the true location and with the true name of the function: compares the
 * resolved frames of the minified bundle with those of the same program without a bundler.
 *
 * @param {readonly import('./corpus.mjs').TrueFrames[]} truth
 * @param {Record<string, ({ file: string | null, line: number | null, function: string | null } | null)[]>} resolved
 * @returns {Record<string, number>}
 */
export function scoreFrames(truth, resolved) {
  /** @type {Record<string, { right: number, of: number }>} */
  const cells = {};
  const count = (/** @type {string} */ row, /** @type {boolean} */ right) => {
    const cell = (cells[row] ??= { right: 0, of: 0 });
    cell.of++;
    if (right) cell.right++;
  };
  for (const { id, aligned, frames } of truth) {
    for (const [index, wanted] of (aligned ? frames : frames.slice(0, 1)).entries()) {
      const got = resolved[id]?.[index];
      const isPlaced = !!got && plain(got.file) === plain(wanted.file) && got.line === wanted.line;
      count('file and line, all frames', isPlaced);
      if (index === 0) count('file and line, top frame', isPlaced);
      if (wanted.function && !wanted.file.includes('node_modules'))
        count('function name, named app frames', (got?.function ?? '').split('.').pop() === wanted.function);
    }
  }
  return Object.fromEntries(Object.entries(cells).map(([row, { right, of }]) => [row, (100 * right) / of]));
}

/** @param {string | null} file */
function plain(file) {
  return (file ?? '')
    .replace(/^webpack:\/\/[^/]*\//, '')
    .replace(/[?#].*$/, '')
    .replace(/^(\.\.?\/)+/, '');
}
