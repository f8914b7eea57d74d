import { setTimeout as sleep } from 'node:timers/promises';

/** @typedef {import('./lab.mjs').Subject} Subject */
/** @typedef {import('../../test/test-utils/piped-chromium.mjs').PipedPage} Page */

const reports = 8;
/** The number of error kinds in page/shapes.js. */
export const shapes = 17;
/** The maximum time of a product for its deferred requests. */
const restMs = 2_000;

/**
 * Returns the milliseconds to parse, evaluate and start, on a page that has loaded without the product.
 *
 * @param {Page} page
 * @param {Subject} subject
 */
export async function start(page, { page: url, startUrl }) {
  await page.open(new URL('/', url));
  return page.run(`timeStart('${startUrl}')`);
}

/**
 * Returns the milliseconds for which each captureException blocks the page, and the average main thread time of all its
 * work.
 *
 * @param {Page} page
 * @param {Subject} subject
 */
export async function reporting(page, { id, page: url, sink }) {
  await page.open(url);
  await page.run('browse()');
  await sink.waitUntilQuiet(200);
  sink.empty();
  await page.send('Performance.enable');
  const before = await taskMs(page);
  /** @type {number[]} */
  const times = await page.run(`timeReports(${reports})`);
  await sink.waitUntilQuiet(500);
  const all = ((await taskMs(page)) - before) / reports;
  const sent = countMarks(sink, 'was declined by');
  // A dropped error costs nothing, so the result would be meaningless.
  if (id === 'service' && sent !== reports) throw new Error(`${sent} of ${reports} errors were sent.`);
  return { times, all, sent };
}

/** @param {Page} page */
async function taskMs(page) {
  const { metrics } = await page.send('Performance.getMetrics');
  return 1_000 * metrics.find((/** @type {{ name: string }} */ { name }) => name === 'TaskDuration').value;
}

/**
 * Returns the microseconds of a console call without and with an object, a click and a request, including those of the
 * page and the browser.
 *
 * @param {Page} page
 * @param {Subject} subject
 */
export async function calls(page, { page: url }) {
  await page.open(url);
  return {
    /** @type {number[]} */
    console: await page.run('timeConsole(20, 500)'),
    /** @type {number[]} */
    consoleObjects: await page.run('timeConsoleObjects(20, 500)'),
    /** @type {number[]} */
    click: await page.run('timeClicks(20, 100)'),
    /** @type {number[]} */
    fetch: await page.run('timeFetch(20, 50)'),
  };
}

/**
 * Returns a function that runs an expression of the page, which throws or captures errors in a row. The function
 * resolves with the milliseconds of the errors and of the work in the next tasks, and with the number of requests.
 *
 * @param {string} expression
 * @returns {(page: Page, subject: Subject) => Promise<{ ms: number, requests: number }>}
 */
export function storm(expression) {
  return async (page, { page: url, sink }) => {
    await page.open(url);
    await sink.waitUntilQuiet(200);
    sink.empty();
    const ms = await page.run(expression);
    await sink.waitUntilQuiet(restMs);
    return { ms, requests: sink.arrivals().length };
  };
}

/**
 * Returns the number of requests before any error, and the heap bytes at that time, after a number of breadcrumbs,
 * after a number of errors, and after the same number again.
 *
 * @param {Page} page
 * @param {Subject} subject
 */
export async function memory(page, { page: url, sink }) {
  sink.empty();
  await page.open(url);
  await sink.waitUntilQuiet(restMs);
  const requests = sink.arrivals().length;
  const heap = {
    start: await page.heapBytes(),
    breadcrumbs: await after('logOften(10_000)'),
    errors: await after('payOften(0, 1_000)'),
    moreErrors: await after('payOften(1_000, 2_000)'),
  };
  return { requests, heap };

  async function after(/** @type {string} */ expression) {
    await page.run(expression);
    await sink.waitUntilQuiet(restMs);
    return page.heapBytes();
  }
}

/**
 * Returns the number of requests for 20 errors after the report of another one was rejected with 429.
 *
 * @param {Page} page
 * @param {Subject} subject
 */
export async function afterQuota(page, { page: url, sink }) {
  await page.open(url);
  await sink.waitUntilQuiet(restMs);
  sink.respondWith(429);
  await page.run('payLater(0)');
  await sink.waitUntilQuiet(restMs);
  const refused = countMarks(sink, 'Card 0 was declined');
  sink.empty();
  for (let number = 1; number <= 20; number++) {
    await page.run(`payLater(${number})`);
    await sleep(100);
  }
  await sink.waitUntilQuiet(restMs);
  const requests = sink.arrivals().length;
  sink.respondWith(200);
  return { refused, requests };
}

/**
 * Returns the bytes of the request body for one error, three frames deep, on a page without earlier events.
 *
 * @param {Page} page
 * @param {Subject} subject
 */
export async function body(page, { page: url, sink }) {
  await page.open(url);
  await page.run('payLater(1)');
  await sink.waitUntilQuiet(restMs);
  const arrival = sink.arrivals().find((candidate) => candidate.body.includes('Card 1 was declined'));
  return { bytes: arrival?.bytes ?? NaN, body: arrival?.body };
}

/**
 * Returns a product's reports of an error of this kind.
 *
 * @param {number} at
 */
export function shape(at) {
  return async (/** @type {Page} */ page, /** @type {Subject} */ { page: url, sink }) => {
    await page.open(url);
    await page.run('loadShapes()');
    await sink.waitUntilQuiet(200);
    sink.empty();
    if ((await page.run('shapes.length')) !== shapes) throw new Error(`Expected ${shapes} shapes.`);
    /** @type {{ name: string, marks: string[] }} */
    const { name, marks } = await page.run(`({ name: shapes[${at}].name, marks: shapes[${at}].marks })`);
    await page.run(`void shapes[${at}].run()`);
    await sink.waitUntilQuiet(restMs);
    // With several requests, one may be a session that has failed; it does not describe the error.
    const matching = sink.arrivals().filter((arrival) => arrival.body.includes(marks.at(-1) ?? ''));
    const isRight = matching.length === 1 && marks.every((mark) => matching[0].body.includes(mark));
    return { name, isRight, reports: matching.map((arrival) => arrival.body) };
  };
}

/**
 * @param {import('./sink.mjs').Sink} sink
 * @param {string} mark
 */
function countMarks(sink, mark) {
  return sink.arrivals().filter((arrival) => arrival.body.includes(mark)).length;
}
