import { randomUUID } from 'node:crypto';
import { capital, wordsOf } from './number-words.mjs';

/**
 * An error of one user, independent of the format of a client: the same incidents become reports of our SDK and
 * envelopes of Sentry's.
 *
 * @typedef {ReturnType<typeof incident>} Incident
 */

const origin = 'https://shop.example.com';
const bundle = `${origin}/assets/index-Dk3vQ9aB.js`;
const vendor = `${origin}/assets/vendor-B1xT7f0q.js`;
const environments = ['production', 'staging', 'preview'];
const frameworkCalls = ['Xe', 'callWithErrorHandling', 'HTMLButtonElement.dispatch', 'flushJobs', 'Xu'];

/**
 * Returns an error of the group with this number. Location and message template stay; ids, numbers and the user differ.
 *
 * @param {number} group
 * @param {() => number} random
 */
export function incident(group, random) {
  const { thing, part, operation, side, mode } = wordsOf(group);
  const whole = (/** @type {number} */ below) => Math.floor(random() * below);
  const name = `ShopPage.${operation}${capital(mode)}${capital(thing)}${capital(side)}${capital(part)}`;
  // The engine words half of the errors, the app the other half: different grouping rules apply to them.
  const byEngine = group % 2 === 0;
  const id = 10_000 + whole(9_000_000);
  return {
    event_id: randomUUID(),
    at: new Date().toISOString(),
    type: byEngine ? 'TypeError' : `${capital(thing)}Error`,
    message: byEngine
      ? `Cannot read properties of undefined (reading '${part}')`
      : `Could not ${operation} the ${side} ${part} of ${mode} ${thing} ${id}: the server answered after ${whole(9_000)} ms`,
    frames: [
      { function: name, file: bundle, line: 2, column: 1_000 + group },
      { function: `${capital(thing)}Store.commit`, file: bundle, line: 2, column: 210_377 },
      { function: 'async CheckoutPage.submit', file: bundle, line: 2, column: 198_041 },
      ...frameworkCalls.map((call, at) => ({ function: call, file: vendor, line: 1, column: 41_007 + 613 * at })),
    ],
    url: `${origin}/checkout/${id}?step=pay&session=${whole(2 ** 31).toString(36)}`,
    user: `user-${whole(50_000)}`,
    environment: environments[group % 7 === 0 ? 1 + (group % 2) : 0],
    release: `shop@4.${group % 20}.0`,
    order: { order_id: id, items: 1 + whole(40), total: whole(100_000) / 100, attempt: 1 + whole(3) },
    steps: [
      { category: 'navigation', message: `/products/${whole(100_000)} → /cart` },
      { category: 'ui.click', message: 'button.add-to-cart[data-test="add"]' },
      { category: 'fetch', message: `POST /api/cart/${id}/items 201 in ${whole(400)} ms` },
      { category: 'console', message: `price of ${whole(100_000)} was rounded` },
      { category: 'ui.click', message: 'a.checkout > span.label' },
      { category: 'fetch', message: `GET /api/orders/${id}?fields=all 200 in ${whole(900)} ms` },
      { category: 'ui.click', message: 'button.pay[type="submit"]' },
      { category: 'fetch', message: `POST /api/orders/${id}/payment 202` },
    ],
  };
}
