import { launchPipedChromium } from '../test/test-utils/piped-chromium.mjs';
import { weighAssets } from './dashboard/assets.mjs';
import { firstRows } from './dashboard/first-rows.mjs';
import { liveRows } from './dashboard/live-rows.mjs';
import { signIn } from './dashboard/sign-in.mjs';
import { reportRequests } from './load/report-requests.mjs';
import { sendReports } from './load/send-reports.mjs';
import { median, percentile } from './measure/statistics.mjs';
import { temporaryFolder } from './measure/temporary-folder.mjs';
import { progress } from './output/progress.mjs';
import { figure, table } from './output/table.mjs';
import { startService } from './servers/service.mjs';

export const title = 'Dashboard: its size, and how soon it shows stored and new errors';

export const defaults = {
  /** The rounds of opening the page. */
  rounds: 9,
  groups: 100,
  /** The reports a second while the page is open. */
  perSecond: 200,
  updates: 10_000,
  connections: 8,
};

/** @typedef {typeof defaults} Options */

/** @param {Options} options */
export async function run(options) {
  const { rounds, groups, connections } = options;
  const sizes = weighAssets();
  const service = await startService(temporaryFolder());
  const { api_key: apiKey } = await service.createProject('Shop');
  progress(`${groups} groups`);
  const reports = reportRequests({ url: service.reportsUrl, apiKey, groups });
  await sendReports(service.reportsUrl, reports, { count: groups, connections });
  const cookie = await signIn(service.url);

  const browser = await launchPipedChromium(temporaryFolder());
  progress('opening the page');
  const opened = await firstRows(browser, service.url, cookie, rounds);
  const live = await liveRows(browser, service, { cookie, apiKey, reports, ...options });
  await browser.close();
  await service.stop();
  return results({ version: browser.version, sizes, opened, live }, options);
}

/**
 * @param {{ version: string, sizes: ReturnType<typeof weighAssets>, opened: Awaited<ReturnType<typeof firstRows>>,
 *   live: Awaited<ReturnType<typeof liveRows>> }} measured
 * @param {Options} options
 */
function results({ version, sizes, opened, live }, { groups, updates }) {
  const starts = Object.entries(opened);
  const rows = starts.map(([start, times]) => {
    const of = (/** @type {keyof typeof times[number]} */ name) => figure(median(times.map((time) => time[name])));
    return [start, of('page'), of('script'), of('response'), of('row'), of('painted'), of('slowest')];
  });
  const delayMs = percentile(live.delaysMs, 95);
  return {
    text: [
      table(['ms since the navigation started, median', 'page', 'script', 'data', 'row', 'on screen', 'request'], rows),
      table(
        ['', 'p50', 'p95', 'maximum'],
        [['POST to row, ms', ...[50, 95, 100].map((percent) => figure(percentile(live.delaysMs, percent)))]],
      ),
      `${figure(live.perSecond)} reports a second arrived during these updates. Heap: ${figure(live.heapBytes.early / 1_024)} kB after ${figure(updates / 10)} updates, ${figure(live.heapBytes.late / 1_024)} kB after ${figure(updates)}.`,
      `${version}.`,
    ].join('\n\n'),
    checks: [
      { name: 'scripts of the first load, gzip -9', value: sizes.js, unit: 'B', atMost: 32_000 },
      { name: 'styles of the first load, gzip -9', value: sizes.css, unit: 'B', atMost: 5_000 },
      ...starts.map(([start, times]) => ({
        name: `${groups} groups, first rows on screen, ${start}`,
        value: median(times.map(({ painted }) => painted)),
        unit: 'ms',
        atMost: 250,
      })),
      { name: 'POST to row on screen, p95', value: delayMs, unit: 'ms', atMost: 300 },
      {
        name: `heap after ${figure(updates)} updates, relative to ${figure(updates / 10)}`,
        value: (100 * live.heapBytes.late) / live.heapBytes.early,
        unit: '%',
        atMost: 110,
      },
    ],
    data: { browser: version, sizes, opened, live },
  };
}
