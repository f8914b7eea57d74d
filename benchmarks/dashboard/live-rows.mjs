import { setTimeout as sleep } from 'node:timers/promises';
import { pace } from '../load/pace.mjs';
import { progress } from '../output/progress.mjs';
import { open, openTab } from './first-rows.mjs';

/** The time between two new errors. */
const probeEveryMs = 400;

/** Records the time when the row of a new error is in a frame. */
const watcher = `(() => {
  window.seen = {};
  const found = new Set();
  new MutationObserver(() => {
    for (const link of document.querySelectorAll('tbody tr a')) {
      const [, probe] = /Probe (\\d+) /.exec(link.textContent) ?? [];
      if (!probe || found.has(probe)) continue;
      found.add(probe);
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => { window.seen[probe] = Date.now(); };
        port2.postMessage(0);
      });
    }
  }).observe(document.body, { childList: true, subtree: true, characterData: true });
})()`;

/**
 * Sends reports for all groups while the list is open, and a new error now and then. Measures how soon the row of a new
 * error appears, and how much memory the page keeps after all updates.
 *
 * @param {import('../../test/test-utils/piped-chromium.mjs').PipedChromium} browser
 * @param {import('../servers/service.mjs').Service} service
 * @param {{ cookie: import('./sign-in.mjs').Cookie, apiKey: string, reports: { next(): Buffer },
 *   perSecond: number, updates: number, connections: number }} options
 */
export async function liveRows(browser, service, { cookie, apiKey, reports, perSecond, updates, connections }) {
  const page = await openTab(browser, cookie);
  await open(page, service.url);
  await page.run(watcher);
  const load = await pace(service.reportsUrl, reports.next, { perSecond, connections });
  const received = async (/** @type {number} */ count) => {
    while (load.responses() < count) await sleep(50);
  };

  await received(updates / 10);
  const early = await page.heapBytes();
  progress('new errors among the others');
  /** @type {number[]} */
  const sentAt = [];
  // Stops a little before the end, so that the last new error also arrives among other reports.
  while (load.responses() < updates - 2 * perSecond) {
    sentAt.push(Date.now());
    await postProbe(service.reportsUrl, apiKey, sentAt.length - 1);
    await sleep(probeEveryMs);
  }
  await received(updates);
  const { perSecond: came } = await load.stop();
  await sleep(1_000);
  const seen = await page.run('window.seen');
  const late = await page.heapBytes();
  await page.close();
  return {
    perSecond: came,
    delaysMs: sentAt.map((at, probe) => (seen[probe] ?? Infinity) - at),
    heapBytes: { early, late },
  };
}

/**
 * @param {URL} url
 * @param {string} apiKey
 * @param {number} probe
 */
async function postProbe(url, apiKey, probe) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      project_api_key: apiKey,
      type: 'Error',
      message: `Probe ${probe} has come`,
      stacktrace: `Error: Probe\n    at probe${probe} (src/probe${probe}.ts:3:9)`,
    }),
  });
  if (!response.ok) throw new Error(`The server responded to a report with ${response.status}.`);
  await response.arrayBuffer();
}
