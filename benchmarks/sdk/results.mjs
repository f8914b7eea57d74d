import { figure, table } from '../output/table.mjs';

/**
 * A row of a table: one value for each product, by its id.
 *
 * @typedef {object} Row
 * @property {string} name
 * @property {string} unit
 * @property {number} digits
 * @property {Record<string, number>} median
 * @property {Record<string, number>} [least] the minimum of a time
 */

const ours = 'service';
const sentry = 'sentry';

/**
 * Our targets. Bytes and counts are absolute. A time differs between machines, so its target is relative to Sentry's in
 * the same run. Where Sentry's time had a range, the target uses the stricter end.
 *
 * @type {Record<string, { atMost?: number, atLeast?: number, ofSentrys?: number }>}
 */
const promises = {
  'parse, evaluate, start': { ofSentrys: 1 / 10.8 },
  'requests at the start': { atMost: 0 },
  'console call, added': { ofSentrys: 0.3 / 5 },
  'click, added': { ofSentrys: 0.7 / 5 },
  'captureException blocks': { ofSentrys: 0.05 / 1.9 },
  'body of an error': { atMost: 600 },
  '10,000 same, captured': { ofSentrys: 110 / 1_143 },
  // The same two numbers, minus the 60 ms of the page alone.
  '10,000 same, uncaught, added': { ofSentrys: 50 / 1_083 },
  'requests for 10,000 same': { atMost: 1 },
  'requests after a 429': { atMost: 0 },
  'heap at the start': { atMost: 40 },
  'heap, 10,000 console calls': { atMost: 60 },
  'heap, 1,000 errors': { atMost: 150 },
  // Two garbage collections differ by this much even if nothing happens between them.
  'heap, 1,000 errors more': { atMost: 5 },
  'error shapes of 17': { atLeast: 17 },
};

/**
 * @param {readonly { id: string, short: string }[]} products
 * @param {readonly Row[]} rows
 */
export function productTables(products, rows) {
  const head = ['', ...products.map(({ short }) => short)];
  const cells = (/** @type {Row} */ row, /** @type {Record<string, number>} */ values) => [
    `${row.name}${row.unit && `, ${row.unit}`}`,
    ...products.map(({ id }) => (id in values && !Number.isNaN(values[id]) ? figure(values[id], row.digits) : '–')),
  ];
  const medians = rows.map((row) => cells(row, row.median));
  const least = rows.flatMap((row) => (row.least ? [cells(row, row.least)] : []));
  return `${table(['medians', ...head.slice(1)], medians)}\n\n${table(['least', ...head.slice(1)], least)}`;
}

/**
 * @param {readonly Row[]} rows
 * @returns {import('../output/check.mjs').Check[]}
 */
export function promiseChecks(rows) {
  return rows.flatMap(({ name, unit, median }) => {
    const { ofSentrys, ...limit } = promises[name] ?? {};
    if (ofSentrys !== undefined) {
      const value = (100 * median[ours]) / median[sentry];
      return [{ name, value, unit: '% of Sentry', atMost: Math.round(1_000 * ofSentrys) / 10 }];
    }
    return name in promises ? [{ name, value: median[ours], unit, ...limit }] : [];
  });
}
