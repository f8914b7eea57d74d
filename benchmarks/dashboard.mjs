import { launchPipedChromium } from '../test/test-utils/piped-chromium.mjs';
import { weighAssets } from './dashboard/assets.mjs';
import { firstRows } from './dashboard/first-rows.mjs';
import { liveRows } from './dashboard/live-rows.mjs';
import { signIn } from './dashboard/sign-in.mjs';
import { reportRequests } from './load/report-requests.mjs';
import { sendReports } from './load/send-reports.mjs';
import { baselineCheck, comparedBuilds } from './measure/baseline.mjs';
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
  /** Reports per second while the page is open. */
  perSecond: 200,
  updates: 10_000,
  connections: 8,
  /** Another built clone, whose dashboard is opened in turn with this one. */
  baseline: '',
};

/** @typedef {typeof defaults} Options */
/** @typedef {Awaited<ReturnType<typeof firstRows>>[number]} Opened the page loads from one server, by kind */

/** @param {Options} options */
export async function run(options) {
  const { rounds, updates } = options;
  const builds = comparedBuilds(options.baseline);
  const servers = [];
  for (const { clone } of builds) servers.push(await openServer(clone, options));

  const browser = await launchPipedChromium(temporaryFolder());
  progress('opening the page');
  const opened = await firstRows(
    browser,
    servers.map(({ url, cookie }) => ({ url, cookie })),
    rounds,
  );
  const live = [];
  for (const server of servers) live.push(await liveRows(browser, server.service, { ...server, ...options }));
  await browser.close();
  for (const { service } of servers) await service.stop();

  const sizes = weighAssets(builds[0].clone);
  return {
    text: [
      table(
        ['ms since the navigation started, median', 'page', 'script', 'data', 'row', 'on screen', 'request'],
        builds.flatMap(({ suffix }, at) => openingRows(suffix, opened[at])),
      ),
      table(
        ['', 'p50', 'p95', 'maximum'],
        builds.map(({ suffix }, at) => [
          `POST to row, ms${suffix}`,
          ...[50, 95, 100].map((percent) => figure(percentile(live[at].delaysMs, percent))),
        ]),
      ),
      `${figure(live[0].perSecond)} reports a second arrived during these updates. Heap: ${figure(live[0].heapBytes.early / 1_024)} kB after ${figure(updates / 10)} updates, ${figure(live[0].heapBytes.late / 1_024)} kB after ${figure(updates)}.`,
      `${browser.version}.`,
    ].join('\n\n'),
    checks: [...checks(sizes, opened[0], live[0], options), ...(builds.length > 1 ? baselineChecks(opened) : [])],
    data: { browser: browser.version, sizes, opened, live },
  };
}

/**
 * Starts the server of a clone, with some groups and a signed-in user.
 *
 * @param {string} clone
 * @param {Options} options
 */
async function openServer(clone, { groups, connections }) {
  const service = await startService(temporaryFolder(), { clone });
  const { api_key: apiKey } = await service.createProject('Shop');
  progress(`${groups} groups`);
  const reports = reportRequests({ url: service.reportsUrl, apiKey, groups });
  await sendReports(service.reportsUrl, reports, { count: groups, connections });
  return { service, url: service.url, apiKey, reports, cookie: await signIn(service.url) };
}

/**
 * @param {string} suffix
 * @param {Opened} opened
 */
function openingRows(suffix, opened) {
  return Object.entries(opened).map(([start, times]) => {
    const of = (/** @type {keyof typeof times[number]} */ name) => figure(median(times.map((time) => time[name])));
    return [`${start}${suffix}`, of('page'), of('script'), of('response'), of('row'), of('painted'), of('slowest')];
  });
}

/**
 * @param {ReturnType<typeof weighAssets>} sizes
 * @param {Opened} opened
 * @param {Awaited<ReturnType<typeof liveRows>>} live
 * @param {Options} options
 */
function checks(sizes, opened, live, { groups, updates }) {
  return [
    { name: 'scripts of the first load, gzip -9', value: sizes.js, unit: 'B', atMost: 32_000 },
    { name: 'styles of the first load, gzip -9', value: sizes.css, unit: 'B', atMost: 5_000 },
    ...Object.entries(opened).map(([start, times]) => ({
      name: `${groups} groups, first rows on screen, ${start}`,
      value: median(times.map(({ painted }) => painted)),
      unit: 'ms',
      atMost: 250,
    })),
    { name: 'POST to row on screen, p95', value: percentile(live.delaysMs, 95), unit: 'ms', atMost: 300 },
    {
      name: `heap after ${figure(updates)} updates, relative to ${figure(updates / 10)}`,
      value: (100 * live.heapBytes.late) / live.heapBytes.early,
      unit: '%',
      atMost: 110,
    },
  ];
}

/** @param {readonly Opened[]} opened */
function baselineChecks([ours, baseline]) {
  return Object.entries(ours).map(([start, times]) => {
    const compared = baseline[/** @type {keyof Opened} */ (start)];
    return baselineCheck(
      `first rows on screen, ${start}`,
      times.map(({ painted }) => painted),
      compared.map(({ painted }) => painted),
    );
  });
}
