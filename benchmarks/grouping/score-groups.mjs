/**
 * Scores groups against bugs by pairs of errors: P, how many pairs in one group are of one bug, and R, how many pairs
 * of one bug are in one group.
 *
 * @typedef {{ P: number, R: number, F1: number, groups: number, bugs: number }} Score
 * @typedef {{ id: string, bug_id: string, app: string, bundler?: string, engine: string, release: string }} CapturedError
 */

/**
 * The compared pairs of each scope: errors with the same `within`. If `across` is set, only pairs that differ in it.
 *
 * @type {Record<string, { within: (row: CapturedError) => string[], across?: (row: CapturedError) => string }>}
 */
const scopes = {
  'a same engine+release': { within: (row) => [row.app, row.bundler ?? '', row.engine, row.release] },
  'b across engines': { within: (row) => [row.app, row.bundler ?? '', row.release], across: (row) => row.engine },
  'c across releases': { within: (row) => [row.app, row.bundler ?? '', row.engine], across: (row) => row.release },
  'all in project': { within: (row) => [row.app, row.bundler ?? ''] },
};

/**
 * @param {readonly CapturedError[]} records
 * @param {Record<string, string>} groupOf by the id of an error
 * @returns {Record<string, Score>}
 */
export function score(records, groupOf) {
  return Object.fromEntries(
    Object.entries(scopes).map(([name, { within, across }]) => {
      const projects = parts(records, (row) => within(row).join('|'));
      const pairs = sumOf(projects.map((rows) => countPairs(rows, groupOf, across)));
      const P = pairs.grouped === 0 ? 1 : pairs.right / pairs.grouped;
      const R = pairs.true === 0 ? 1 : pairs.right / pairs.true;
      const of = (/** @type {(row: CapturedError) => string} */ key) =>
        projects.reduce((sum, rows) => sum + parts(rows, key).length, 0);
      const F1 = P + R === 0 ? 0 : (2 * P * R) / (P + R);
      return [name, { P, R, F1, groups: of((row) => groupOf[row.id]), bugs: of((row) => row.bug_id) }];
    }),
  );
}

/**
 * @param {readonly CapturedError[]} rows
 * @param {Record<string, string>} groupOf
 * @param {((row: CapturedError) => string) | undefined} across
 */
function countPairs(rows, groupOf, across) {
  const all = pairsOf(rows, groupOf);
  const same = across ? parts(rows, across).map((alike) => pairsOf(alike, groupOf)) : [];
  const { true: truly, grouped, right } = sumOf(same);
  return { true: all.true - truly, grouped: all.grouped - grouped, right: all.right - right };
}

/**
 * @param {readonly CapturedError[]} rows
 * @param {Record<string, string>} groupOf
 */
function pairsOf(rows, groupOf) {
  const pairs = (/** @type {(row: CapturedError) => string} */ key) =>
    parts(rows, key).reduce((sum, { length }) => sum + (length * (length - 1)) / 2, 0);
  return {
    true: pairs((row) => row.bug_id),
    grouped: pairs((row) => groupOf[row.id]),
    right: pairs((row) => JSON.stringify([row.bug_id, groupOf[row.id]])),
  };
}

/** @param {readonly { true: number, grouped: number, right: number }[]} counts */
function sumOf(counts) {
  const sum = { true: 0, grouped: 0, right: 0 };
  for (const count of counts) {
    sum.true += count.true;
    sum.grouped += count.grouped;
    sum.right += count.right;
  }
  return sum;
}

/**
 * @param {readonly CapturedError[]} rows
 * @param {(row: CapturedError) => string} key
 */
function parts(rows, key) {
  /** @type {Map<string, CapturedError[]>} */
  const found = new Map();
  for (const row of rows) {
    const part = found.get(key(row));
    if (part) part.push(row);
    else found.set(key(row), [row]);
  }
  return [...found.values()];
}
