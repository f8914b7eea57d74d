/** In hours. Times are in hours before the moment of the screenshots. */
const day = 24;

/**
 * An error of the shop and its frequency.
 *
 * @typedef {object} Incident
 * @property {'shop' | 'office' | 'orders'} project
 * @property {string} release
 * @property {{ handler: string, given: unknown[] } | { type?: string, message: string, stacktrace?: string }} what
 *   a handler of the shop that fails, or an error from other code
 * @property {[fromHours: number, toHours: number, times: number][]} when periods with their number of reports
 * @property {number} people number of affected users
 * @property {string} page
 * @property {string} [level]
 * @property {string[]} [environments]
 * @property {number} [resolvedHours] when it is resolved
 * @property {boolean} [isExplained]
 * @property {[secondsBefore: number, type: string, category: string, data: object][]} [steps]
 */

const origin = 'https://roastery.example';

/** The error whose page is shown. @type {Incident} */
export const shown = {
  project: 'shop',
  release: '2.14.1',
  what: {
    handler: 'placeOrder',
    given: [{ lines: [{ article: 'gift-card', pieces: 1 }], orderedAt: '2026-11-19T09:00:00Z' }],
  },
  when: [[4.6, 0.02, 187]],
  people: 131,
  page: '/checkout?step=pay',
  isExplained: true,
  environments: ['production', 'production', 'production', 'production', 'staging'],
  steps: [
    [74, 'navigation', 'history', { from: '/', to: '/gifts' }],
    [58.2, 'http', 'fetch', { method: 'GET', url: `${origin}/api/catalogue?tag=gifts`, status: 200 }],
    [41, 'ui', 'click', { selector: 'button.add[data-article="gift-card"]' }],
    [22.5, 'console', 'console', { level: 'warn', arguments: ['No price for', 'gift-card'] }],
    [20.1, 'http', 'fetch', { method: 'GET', url: `${origin}/api/prices?article=gift-card`, status: 404 }],
    [9.4, 'navigation', 'history', { from: '/cart', to: '/checkout?step=pay' }],
    [0.3, 'ui', 'click', { selector: 'button#place-order' }],
  ],
};

/** @type {Incident[]} */
export const incidents = [
  shown,
  {
    project: 'shop',
    release: '2.14.1',
    what: { handler: 'placeOrder', given: [{ lines: [], orderedAt: '19.11.2026' }] },
    when: [
      [12 * day, 6 * day, 61],
      [1.4, 0.1, 9],
    ],
    people: 52,
    page: '/checkout?step=delivery',
    isExplained: true,
    resolvedHours: 5 * day,
  },
  {
    project: 'shop',
    release: '2.13.0',
    what: {
      type: 'TypeError',
      message: 'Failed to fetch',
      stacktrace: `TypeError: Failed to fetch\n    at loadStock (src/stock.ts:8:20)\n    at async showArticle (src/article.ts:31:17)`,
    },
    when: [[30 * day, 0.3, 412]],
    people: 303,
    page: '/coffee/espresso-blend',
    isExplained: true,
  },
  {
    project: 'shop',
    release: '2.14.0',
    what: { handler: 'readVoucher', given: ['<!doctype html><title>502 Bad Gateway</title>'] },
    when: [
      [9 * day, 8.9 * day, 23],
      [17, 15.5, 164],
      [3, 0.6, 4],
    ],
    people: 158,
    page: '/cart',
    isExplained: true,
  },
  {
    project: 'shop',
    release: '2.13.0',
    what: { handler: 'suggestionsOf', given: [{}, 'esp'] },
    when: [[16 * day, 0.8, 96]],
    people: 71,
    page: '/search?words=esp',
    isExplained: true,
  },
  {
    project: 'office',
    release: '1.8.2',
    what: {
      type: 'ReferenceError',
      message: 'labelPrinter is not defined',
      stacktrace: 'ReferenceError: labelPrinter is not defined\n    at printLabels (src/labels.ts:57:5)',
    },
    when: [[26, 1.1, 12]],
    people: 3,
    page: '/office/orders/today',
    isExplained: true,
  },
  {
    project: 'shop',
    release: '2.14.0',
    what: {
      type: 'ChunkLoadError',
      message: 'Loading chunk 318 failed.\n(error: https://roastery.example/assets/318.4b1e.js)',
      stacktrace:
        'ChunkLoadError: Loading chunk 318 failed.\n    at __webpack_require__.f.j (webpack/runtime/jsonp:27:18)\n    at openReviews (src/reviews.ts:12:3)',
    },
    when: [
      [21 * day, 20.6 * day, 44],
      [9 * day, 8.7 * day, 57],
      [28, 22, 38],
      [5, 1.6, 17],
    ],
    people: 140,
    page: '/coffee/house-blend',
    isExplained: true,
  },
  {
    project: 'orders',
    release: '2026.11.2',
    what: {
      type: 'KeyError',
      message: "'vat_rate'",
      stacktrace: `Traceback (most recent call last):
  File "/srv/orders/invoices/tasks.py", line 88, in send_invoice
    total = total_of(order)
  File "/srv/orders/invoices/totals.py", line 23, in total_of
    rate = country["vat_rate"]
KeyError: 'vat_rate'`,
    },
    when: [[3 * day, 2.2, 27]],
    people: 0,
    page: '',
    isExplained: true,
  },
  {
    project: 'shop',
    release: '2.14.0',
    what: {
      handler: 'saveDraft',
      given: [
        {
          setItem() {
            const error = new Error(
              "Failed to execute 'setItem' on 'Storage': Setting the value of 'draft' exceeded the quota.",
            );
            error.name = 'QuotaExceededError';
            throw error;
          },
        },
        {},
      ],
    },
    when: [[30 * day, 3, 71]],
    people: 33,
    page: '/cart',
    isExplained: true,
  },
  {
    project: 'shop',
    release: '2.13.0',
    what: { handler: 'assertPaid', given: [{ status: 'declined', reason: 'insufficient funds' }] },
    when: [[30 * day, 3.5, 148]],
    people: 121,
    page: '/checkout?step=pay',
    level: 'warning',
  },
  {
    project: 'shop',
    release: '2.14.0',
    what: { handler: 'showMap', given: [null] },
    when: [[6 * day, 5, 34]],
    people: 29,
    page: '/shops',
  },
  {
    project: 'shop',
    release: '2.12.3',
    what: {
      type: 'NotAllowedError',
      message: 'play() failed because the user did not interact with the document first.',
      stacktrace:
        'NotAllowedError: play() failed because the user did not interact with the document first.\n    at playIntro (src/brewing.ts:30:9)',
    },
    when: [[28 * day, 6, 39]],
    people: 36,
    page: '/brewing',
  },
  {
    project: 'shop',
    release: '2.15.0-beta.1',
    what: {
      type: 'TypeError',
      message: 'n.subscribe is not a function',
      stacktrace: `TypeError: n.subscribe is not a function\n    at Te (${origin}/assets/club-9f2cQ1.js:1:50231)\n    at Ve (${origin}/assets/club-9f2cQ1.js:1:8121)`,
    },
    when: [[8, 6.5, 6]],
    people: 2,
    page: '/club',
    environments: ['staging'],
  },
  {
    project: 'office',
    release: '1.8.2',
    what: { message: 'The stock of an article is below zero' },
    when: [[11 * day, 9, 18]],
    people: 2,
    page: '/office/stock',
    level: 'warning',
  },
  {
    project: 'shop',
    release: '2.12.3',
    what: {
      type: 'SecurityError',
      message: "Failed to read the 'localStorage' property from 'Window': Access is denied for this document.",
      stacktrace:
        "SecurityError: Failed to read the 'localStorage' property from 'Window': Access is denied for this document.\n    at readConsent (src/consent.ts:4:22)",
    },
    when: [[29 * day, 12, 53]],
    people: 48,
    page: '/',
  },
  {
    project: 'shop',
    release: '2.13.0',
    what: {
      type: 'InvalidStateError',
      message: 'The database connection is closing.',
      stacktrace:
        'InvalidStateError: The database connection is closing.\n    at rememberArticle (src/recently-seen.ts:19:30)',
    },
    when: [[19 * day, 10 * day, 26]],
    people: 25,
    page: '/coffee/decaf',
    resolvedHours: 9 * day,
  },
  {
    project: 'office',
    release: '1.8.1',
    what: {
      type: 'RangeError',
      message: 'Maximum call stack size exceeded',
      stacktrace:
        'RangeError: Maximum call stack size exceeded\n    at sumUp (src/report.ts:14:3)\n    at sumUp (src/report.ts:16:12)',
    },
    when: [[15 * day, 14 * day, 7]],
    people: 1,
    page: '/office/reports',
    resolvedHours: 13 * day,
  },
];
