import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { median } from './measure/statistics.mjs';
import { progress } from './output/progress.mjs';
import { figure, table } from './output/table.mjs';
import { sizes } from './sdk/bundle.mjs';
import { openLab } from './sdk/lab.mjs';
import { afterQuota, body, calls, memory, reporting, shape, shapes, start, storm } from './sdk/measures.mjs';
import { ourSizes } from './sdk/our-sizes.mjs';
import { control } from './sdk/products.mjs';
import { productTables, promiseChecks } from './sdk/results.mjs';
import { inTurn, together } from './sdk/rounds.mjs';

/** @typedef {import('./sdk/lab.mjs').Subject} Subject */
/** @typedef {Awaited<ReturnType<typeof memory>>['heap']} Heap */

export const title = 'Browser SDK: its size and what it costs a page, compared with others';

export const defaults = {
  /** The rounds of measured times. */
  rounds: 5,
  startRounds: 11,
  stormRounds: 5,
  heapRounds: 3,
};

/** @param {typeof defaults} options */
export async function run(options) {
  progress('building @service/browser');
  execFileSync('npm', ['run', '--silent', 'build'], {
    cwd: join(import.meta.dirname, '../packages/browser'),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const entries = await ourSizes();
  const lab = await openLab();
  try {
    const measured = await measureAll(lab, options);
    const rows = rowsOf(lab, measured);
    const checks = [
      ...entries.map(({ name, gzip, atMost, aim }) => ({
        name: `${name}, gzip -9`,
        value: gzip,
        unit: 'B',
        atMost,
        aim,
      })),
      ...promiseChecks(rows),
    ];
    const { version } = lab.browser;
    const names = lab.subjects.map(({ name }) => name).join(', ');
    return {
      text: [
        productTables(lab.subjects, rows),
        entryTable(entries),
        shapeTable(lab, measured),
        `${version}. ${names}.`,
      ].join('\n\n'),
      checks,
      data: { browser: version, entries, rows, measured },
    };
  } finally {
    await lab.close();
  }
}

/** @typedef {Awaited<ReturnType<typeof measureAll>>} Measured */

/**
 * @param {import('./sdk/lab.mjs').Lab} lab
 * @param {typeof defaults} options
 */
async function measureAll(lab, { rounds, startRounds, stormRounds, heapRounds }) {
  return {
    start: await inTurn(lab, 'parse, evaluate, start', startRounds, start),
    calls: await inTurn(lab, 'calls', rounds, calls),
    reporting: await inTurn(lab, 'captureException', rounds, reporting),
    uncaught: await inTurn(lab, '10,000 same, uncaught', stormRounds, storm('throwOften(10_000, () => 1)')),
    captured: await inTurn(lab, '10,000 same, captured', stormRounds, storm('captureOften(10_000, () => 1)')),
    different: await inTurn(lab, '1,000 different', stormRounds, storm('throwOften(1_000, (at) => at)')),
    memory: await together(lab, 'heap', heapRounds, memory),
    body: await together(lab, 'body', 1, body),
    quota: await together(lab, 'after a 429', 1, afterQuota),
    shapes: await allShapes(lab),
  };
}

/** @param {import('./sdk/lab.mjs').Lab} lab */
async function allShapes(lab) {
  const all = [];
  for (let at = 0; at < shapes; at++) {
    all.push(await together(lab, `error shape ${at + 1} of ${shapes}`, 1, shape(at)));
  }
  return all;
}

/**
 * @param {import('./sdk/lab.mjs').Lab} lab
 * @param {Measured} measured
 * @returns {import('./sdk/results.mjs').Row[]}
 */
function rowsOf({ subjects }, measured) {
  const { memory: heaps, uncaught, captured, different } = measured;
  /** @type {(value: (subject: Subject) => number) => Record<string, number>} */
  const each = (value) => Object.fromEntries(subjects.map((subject) => [subject.id, value(subject)]));

  /**
   * Returns the row of a time: of each product, the median and the minimum, minus those of the page without an SDK.
   *
   * @param {string} name
   * @param {string} unit
   * @param {(id: string) => number[][]} of
   */
  const added = (name, unit, of, digits = 2) => {
    const middle = (/** @type {string} */ id) => median(of(id).map(median));
    const least = (/** @type {string} */ id) => Math.min(...of(id).flat());
    return {
      name,
      unit,
      digits,
      median: each(({ id }) => (id === control.id ? NaN : middle(id) - middle(control.id))),
      least: each(({ id }) => (id === control.id ? NaN : least(id) - least(control.id))),
    };
  };
  /**
   * @param {string} name
   * @param {string} unit
   * @param {(subject: Subject) => number} of
   */
  const counted = (name, unit, of) => ({ name, unit, digits: 0, median: each(of) });
  /**
   * @param {string} name
   * @param {(heap: Heap) => number} of
   */
  const heap = (name, of) => {
    const middle = (/** @type {string} */ id) => median(heaps[id].map((page) => of(page.heap)));
    return {
      name,
      unit: 'KB',
      digits: 1,
      median: each(({ id }) => (id === control.id ? NaN : (middle(id) - middle(control.id)) / 1_000)),
    };
  };

  return [
    counted('bundle, gzip -9', 'B', ({ id, code }) => (id === control.id ? NaN : sizes(code).gzip)),
    counted('bundle, brotli', 'B', ({ id, code }) => (id === control.id ? NaN : sizes(code).brotli)),
    added('parse, evaluate, start', 'ms', (id) => measured.start[id].map((ms) => [ms])),
    counted('requests at the start', '', ({ id }) => median(heaps[id].map(({ requests }) => requests))),
    added('console call, added', 'µs', (id) => measured.calls[id].map((page) => page.console)),
    added('console call with an object, added', 'µs', (id) => measured.calls[id].map((page) => page.consoleObjects)),
    added('click, added', 'µs', (id) => measured.calls[id].map((page) => page.click)),
    added('fetch, added', 'µs', (id) => measured.calls[id].map((page) => page.fetch), 1),
    added('captureException blocks', 'ms', (id) => measured.reporting[id].map(({ times }) => times), 3),
    added('the first one', 'ms', (id) => measured.reporting[id].map(({ times }) => [times[0]]), 3),
    added('captureException, all work', 'ms', (id) => measured.reporting[id].map(({ all }) => [all])),
    counted('body of an error', 'B', ({ id }) => measured.body[id][0].bytes),
    added('10,000 same, uncaught, added', 'ms', (id) => uncaught[id].map(({ ms }) => [ms]), 0),
    {
      name: '10,000 same, captured',
      unit: 'ms',
      digits: 0,
      median: each(({ id }) => median(captured[id].map(({ ms }) => ms))),
      least: each(({ id }) => Math.min(...captured[id].map(({ ms }) => ms))),
    },
    added('1,000 different, uncaught, added', 'ms', (id) => different[id].map(({ ms }) => [ms]), 0),
    counted('requests for 10,000 same', '', ({ id }) => median(uncaught[id].map(({ requests }) => requests))),
    counted('requests for 1,000 different', '', ({ id }) => median(different[id].map(({ requests }) => requests))),
    counted('requests after a 429', '', ({ id }) => measured.quota[id][0].requests),
    heap('heap at the start', ({ start: bytes }) => bytes),
    heap('heap, 10,000 console calls', ({ breadcrumbs }) => breadcrumbs),
    heap('heap, 1,000 errors', ({ errors }) => errors),
    heap('heap, 1,000 errors more', ({ errors, moreErrors }) => moreErrors - errors),
    counted('error shapes of 17', '', ({ id }) => measured.shapes.filter((kind) => kind[id][0].isRight).length),
  ];
}

/** @param {readonly import('./sdk/our-sizes.mjs').EntrySize[]} entries */
function entryTable(entries) {
  const rows = entries.map(({ name, minified, gzip, brotli }) => [
    name,
    orDash(minified),
    orDash(gzip),
    orDash(brotli),
  ]);
  return table(['our entries, bytes', 'minified', 'gzip -9', 'brotli'], rows);
}

/** @param {number} bytes */
function orDash(bytes) {
  return Number.isNaN(bytes) ? '–' : figure(bytes);
}

/** @param {{ isRight: boolean, reports: string[] }} shape */
function shapeResult({ isRight, reports }) {
  if (isRight) return 'right';
  if (reports.length > 1) return `${reports.length} times`;
  return reports.length === 1 ? 'in part' : 'not reported';
}

/**
 * @param {import('./sdk/lab.mjs').Lab} lab
 * @param {Measured} measured
 */
function shapeTable({ subjects }, measured) {
  const products = subjects.filter(({ id }) => id !== control.id);
  const rows = measured.shapes.map((kind) => [
    kind[control.id][0].name,
    ...products.map(({ id }) => shapeResult(kind[id][0])),
  ]);
  return table(['error shapes', ...products.map(({ short }) => short)], rows);
}
