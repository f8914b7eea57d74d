import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Times of a page load, in milliseconds since the browser started to navigate.
 *
 * @typedef {object} Opened
 * @property {number} page its HTML has arrived
 * @property {number} script
 * @property {number} response the response with the list of errors has arrived
 * @property {number} row the first row is in the document
 * @property {number} painted the first row is in a frame
 * @property {number} slowest the duration of the slowest request
 */

/**
 * A server and the session of a user.
 *
 * @typedef {object} SignedIn
 * @property {URL} url
 * @property {import('./sign-in.mjs').Cookie} cookie
 */

/**
 * The age of a window that is at rest. For its first second, a new window runs scripts of Chromium's own address bar.
 * They are larger than those of the page.
 */
const restMs = 1_500;

/** Records the time of the first row. Injected before any code of the page runs. */
const watcher = `new MutationObserver((_, observer) => {
  if (!document.querySelector('tbody tr')) return;
  observer.disconnect();
  const row = performance.now();
  // A frame is rendered after its callbacks; a message that a callback posts is handled after the frame.
  requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => { window.firstRow = { row, painted: performance.now() }; };
    port2.postMessage(0);
  });
}).observe(document, { childList: true, subtree: true });`;

const reading = `(() => {
  if (!window.firstRow) return null;
  const [page] = performance.getEntriesByType('navigation');
  const requests = performance.getEntriesByType('resource');
  const end = (name) => Math.max(0, ...requests.filter((request) => request.name.includes(name)).map((request) => request.responseEnd));
  return {
    page: page.responseEnd,
    script: end('.js'),
    response: end('/api/v1/errors?'),
    ...window.firstRow,
    slowest: Math.max(...requests.filter((request) => request.responseEnd > 0 && !request.name.includes('/stream')).map((request) => request.duration)),
  };
})()`;

/**
 * Opens the list of errors repeatedly, of each server in turn. Cold: in a new profile and process with empty caches,
 * first immediately, while Chromium still creates the window, then `restMs` after a window was created, as if the user
 * had typed the URL. Warm: in a tab that has the page open already.
 *
 * @param {import('../../test/test-utils/piped-chromium.mjs').PipedChromium} browser
 * @param {readonly SignedIn[]} servers
 * @param {number} rounds
 */
export async function firstRows(browser, servers, rounds) {
  /**
   * @param {SignedIn} server
   * @param {number} ageMs of the window
   */
  async function openCold({ url, cookie }, ageMs) {
    const page = await openTab(browser, cookie);
    await sleep(ageMs);
    const opened = await open(page, url);
    await page.close();
    return opened;
  }
  /** @type {{ cold: Opened[], rested: Opened[], warm: Opened[] }[]} */
  const times = servers.map(() => ({ cold: [], rested: [], warm: [] }));
  for (let round = 0; round < rounds; round++) {
    // The order alternates, because a page loads more slowly right after another one was closed.
    for (const at of alternating(servers, round)) times[at].cold.push(await openCold(servers[at], 0));
    for (const at of alternating(servers, round)) times[at].rested.push(await openCold(servers[at], restMs));
  }
  const pages = [];
  for (const { cookie } of servers) pages.push(await openTab(browser, cookie));
  // Chromium caches the compiled code of a script after a few runs.
  for (let round = -3; round < rounds; round++) {
    for (const at of alternating(servers, Math.abs(round))) {
      const opened = await open(pages[at], servers[at].url);
      if (round >= 0) times[at].warm.push(opened);
    }
  }
  for (const page of pages) await page.close();
  return times.map(({ cold, rested, warm }) => ({
    'cold, a new profile and process': cold,
    'cold, 1.5 s after the window opened': rested,
    warm,
  }));
}

/**
 * Returns the indexes of a list, in reverse in every other round.
 *
 * @param {readonly unknown[]} list
 * @param {number} round
 */
function alternating(list, round) {
  const indexes = [...list.keys()];
  return round % 2 === 0 ? indexes : indexes.toReversed();
}

/**
 * Opens an empty tab with a signed-in user.
 *
 * @param {import('../../test/test-utils/piped-chromium.mjs').PipedChromium} browser
 * @param {import('./sign-in.mjs').Cookie} cookie
 */
export async function openTab(browser, cookie) {
  const page = await browser.newPage();
  await page.send('Page.enable');
  await page.send('Page.addScriptToEvaluateOnNewDocument', { source: watcher });
  await page.send('Network.setCookie', cookie);
  return page;
}

/**
 * @param {import('../../test/test-utils/piped-chromium.mjs').PipedPage} page
 * @param {URL} url
 * @returns {Promise<Opened>}
 */
export async function open(page, url) {
  await page.run('window.firstRow = undefined');
  const { errorText } = await page.send('Page.navigate', { url: url.href });
  if (errorText) throw new Error(`${url}: ${errorText}`);
  const late = performance.now() + 30_000;
  while (performance.now() < late) {
    await sleep(50);
    const opened = await page.run(reading).catch(() => null);
    if (!opened) continue;
    // Pending requests and the stream belong to this round, not to the next one.
    await sleep(500);
    return opened;
  }
  throw new Error(`${url} shows no row.`);
}
