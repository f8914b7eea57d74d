import { progress } from '../output/progress.mjs';

/** @typedef {import('./lab.mjs').Subject} Subject */
/** @typedef {import('../../test/test-utils/piped-chromium.mjs').PipedPage} Page */

/**
 * The measurements of each product, by its id: a value for each round.
 *
 * @template Value
 * @typedef {Record<string, Value[]>} Rounds
 */

/** A product that is slower in a round is not measured in later rounds. */
const longMs = 15_000;

/**
 * Measures one product after the other in a number of rounds, each on a fresh page.
 *
 * @template Value
 * @param {import('./lab.mjs').Lab} lab
 * @param {string} title
 * @param {number} rounds
 * @param {(page: Page, subject: Subject) => Promise<Value>} measure
 * @returns {Promise<Rounds<Value>>}
 */
export async function inTurn({ browser, subjects }, title, rounds, measure) {
  /** @type {Rounds<Value>} */
  const measured = Object.fromEntries(subjects.map(({ id }) => [id, []]));
  const slow = new Set();
  for (let round = 0; round < rounds; round++) {
    progress(`${title}: round ${round + 1} of ${rounds}`);
    // Each product is first in turn, so that heat and throttling affect all alike.
    for (const at of subjects.keys()) {
      const subject = subjects[(at + round) % subjects.length];
      if (slow.has(subject)) continue;
      const began = performance.now();
      measured[subject.id].push(await onFreshPage(browser, subject, measure));
      if (performance.now() - began > longMs) slow.add(subject);
    }
  }
  return measured;
}

/**
 * Measures all products at the same time, for values that are counted and not timed.
 *
 * @template Value
 * @param {import('./lab.mjs').Lab} lab
 * @param {string} title
 * @param {number} rounds
 * @param {(page: Page, subject: Subject) => Promise<Value>} measure
 * @returns {Promise<Rounds<Value>>}
 */
export async function together({ browser, subjects }, title, rounds, measure) {
  /** @type {Rounds<Value>} */
  const measured = Object.fromEntries(subjects.map(({ id }) => [id, []]));
  for (let round = 0; round < rounds; round++) {
    progress(`${title}: round ${round + 1} of ${rounds}`);
    await Promise.all(
      subjects.map(async (subject) => measured[subject.id].push(await onFreshPage(browser, subject, measure))),
    );
  }
  return measured;
}

/**
 * @template Value
 * @param {import('../../test/test-utils/piped-chromium.mjs').PipedChromium} browser
 * @param {Subject} subject
 * @param {(page: Page, subject: Subject) => Promise<Value>} measure
 */
async function onFreshPage(browser, subject, measure) {
  const page = await browser.newPage();
  try {
    return await measure(page, subject);
  } catch (error) {
    throw new Error(`${subject.name}: ${error}`, { cause: error });
  } finally {
    await page.close();
    // Requests in flight when the page closes belong to it, not to the next page.
    await subject.sink.waitUntilQuiet(20);
    subject.sink.empty();
  }
}
