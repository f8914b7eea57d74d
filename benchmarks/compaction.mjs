import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openConnection } from './load/connection.mjs';
import { pace } from './load/pace.mjs';
import { reportRequests } from './load/report-requests.mjs';
import { request } from './load/request.mjs';
import { separateCores } from './measure/cores.mjs';
import { median, percentile } from './measure/statistics.mjs';
import { figure, table } from './output/table.mjs';
import { progress } from './output/progress.mjs';
import { preparedStorage } from './prepared-storage.mjs';
import { startService } from './servers/service.mjs';

export const title = 'Compaction: how long reports wait while the storage is rewritten';

export const defaults = {
  groups: 100_000,
  perSecond: 1_000,
  connections: 64,
  /** The seconds without a compaction, for comparison. */
  seconds: 10,
};

const warmMs = 8_000;
const probeMs = 5;
const lookMs = 10;
/** If the log grows by this much without reports, a compaction is running. */
const begunBytes = 2_000_000;
const longestMs = 120_000;

/** @param {typeof defaults} options */
export async function run({ groups, perSecond, connections, seconds }) {
  const { folder, apiKey } = await preparedStorage(groups);
  const service = await startService(folder, { wrapper: separateCores() });
  const reports = reportRequests({ url: service.reportsUrl, apiKey, groups, seed: 4 });
  /** @param {() => Promise<void>} until */
  const measure = async (until) => {
    /** @type {number[]} */
    const responses = [];
    const onResponse = (/** @type {number} */ ms) => void responses.push(ms);
    const load = await pace(service.reportsUrl, reports.next, { perSecond, connections, onResponse });
    const probe = await startProbe(service.url);
    const began = performance.now();
    await until();
    const ms = performance.now() - began;
    const waits = await probe.stop();
    await load.stop();
    return { ms, responses, waits };
  };

  progress('warming up');
  await measure(() => sleep(warmMs));
  progress('without a compaction');
  const without = await measure(() => sleep(seconds * 1_000));
  progress('waiting for a compaction');
  const log = join(folder, 'log');
  const oldest = await compactionOf(log);
  progress('with a compaction');
  const during = await measure(() => isGone(log, oldest));
  await service.stop();

  const rows = [row('without', without), row('with a compaction', during)];
  return {
    text: table(
      ['', 'seconds', 'responses', 'median ms', 'p99', 'longest', 'probes', 'median ms', 'p99', 'longest'],
      rows,
    ),
    checks: [
      { name: 'longest response during a compaction', value: longest(during.responses), unit: 'ms', atMost: 100 },
      { name: 'longest wait of a probe', value: longest(during.waits), unit: 'ms', atMost: 100 },
    ],
    data: { without: summary(without), during: summary(during) },
  };
}

/**
 * Resolves once a compaction has begun, with the name of the oldest part of the log. Its removal ends the compaction.
 *
 * @param {string} log
 */
async function compactionOf(log) {
  const [oldest] = readdirSync(log).toSorted();
  const before = sizeOf(log);
  const late = performance.now() + longestMs;
  while (sizeOf(log) < before + begunBytes) {
    if (performance.now() > late) throw new Error('No compaction began.');
    await sleep(lookMs);
  }
  return oldest ?? '';
}

/**
 * @param {string} log
 * @param {string} name
 */
async function isGone(log, name) {
  const late = performance.now() + longestMs;
  while (readdirSync(log).includes(name)) {
    if (performance.now() > late) throw new Error('The compaction did not end.');
    await sleep(lookMs);
  }
}

/** @param {string} log */
function sizeOf(log) {
  return readdirSync(log).reduce((sum, name) => sum + statSync(join(log, name)).size, 0);
}

/**
 * Sends a request that needs no disk, and the next one five milliseconds after each response.
 *
 * @param {URL} server
 */
async function startProbe(server) {
  const url = new URL('/healthz', server);
  const bytes = request('GET', url, {});
  const connection = await openConnection(url, (error) => {
    throw error;
  });
  /** @type {number[]} */
  const waits = [];
  const stopped = new AbortController();
  const asking = (async () => {
    while (!stopped.signal.aborted) {
      const began = performance.now();
      await new Promise((resolve) => connection.exchange(bytes, resolve));
      waits.push(performance.now() - began);
      await sleep(probeMs);
    }
  })();
  return {
    async stop() {
      stopped.abort();
      await asking;
      connection.close();
      return waits;
    },
  };
}

/**
 * @param {string} name
 * @param {{ ms: number, responses: number[], waits: number[] }} measured
 */
function row(name, { ms, responses, waits }) {
  return [name, figure(ms / 1_000, 1), ...formatTimes(responses), ...formatTimes(waits)];
}

/** @param {number[]} times */
function formatTimes(times) {
  return [figure(times.length), figure(median(times), 1), figure(percentile(times, 99), 1), figure(longest(times), 1)];
}

/** @param {{ ms: number, responses: number[], waits: number[] }} measured */
function summary({ ms, responses, waits }) {
  return { ms, responses: spread(responses), probe: spread(waits) };
}

/** @param {number[]} times */
function spread(times) {
  return { count: times.length, medianMs: median(times), p99Ms: percentile(times, 99), longestMs: longest(times) };
}

/** @param {number[]} times */
function longest(times) {
  return times.reduce((max, ms) => Math.max(max, ms), 0);
}
