import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { reportRequests } from './load/report-requests.mjs';
import { sendReports } from './load/send-reports.mjs';
import { baselineCheck, comparedBuilds } from './measure/baseline.mjs';
import { residentMb, watchMemory } from './measure/memory.mjs';
import { waitUntilIdle } from './measure/wait-until-idle.mjs';
import { median } from './measure/statistics.mjs';
import { temporaryFolder } from './measure/temporary-folder.mjs';
import { figure, table } from './output/table.mjs';
import { progress } from './output/progress.mjs';
import { preparedStorage } from './prepared-storage.mjs';
import { startService } from './servers/service.mjs';

export const title = 'Boot: time until the server listens, and the memory it takes';

export const defaults = {
  rounds: 7,
  groups: 100_000,
  /** The reports that are sent to the server with all groups, as fast as it responds. */
  requests: 100_000,
  connections: 64,
  /** Another built clone, whose server is measured in turn with this one. */
  baseline: '',
};

/** The time without requests after which a server's memory counts as idle. */
const idleMs = 2_000;

/**
 * @typedef {object} EmptyBoot
 * @property {number[]} firstMs
 * @property {number[]} againMs
 * @property {number} idleMb
 */

/**
 * @typedef {object} FullBoot
 * @property {number[]} startMs
 * @property {number} idleMb
 * @property {number} loadedMb
 */

/** @param {typeof defaults} options */
export async function run(options) {
  const builds = comparedBuilds(options.baseline);
  const clones = builds.map(({ clone }) => clone);
  const empty = await bootEmpty(options, clones);
  const full = await bootFull(options, clones);
  const groups = `${figure(options.groups)} groups`;
  const rows = builds.flatMap(({ suffix }, at) => buildRows(suffix, groups, empty[at], full[at]));
  return {
    text: table(['', 'listening (median)', 'slowest', 'resident memory'], rows),
    checks: [
      { name: 'listening, empty, first start', value: median(empty[0].firstMs), unit: 'ms', atMost: 150 },
      { name: `listening, ${groups}`, value: median(full[0].startMs), unit: 'ms', atMost: 500 },
      { name: 'memory, empty and idle', value: empty[0].idleMb, unit: 'MB', atMost: 75 },
      { name: `memory, ${groups}, maximum under load`, value: full[0].loadedMb, unit: 'MB', atMost: 200 },
      ...(builds.length > 1 ? baselineChecks(groups, empty, full) : []),
    ],
    data: { empty, full },
  };
}

/**
 * @param {string} suffix
 * @param {string} groups
 * @param {EmptyBoot} empty
 * @param {FullBoot} full
 */
function buildRows(suffix, groups, empty, full) {
  return [
    [`empty, first start${suffix}`, ...milliseconds(empty.firstMs), megabytes(empty.idleMb)],
    [`empty, started again${suffix}`, ...milliseconds(empty.againMs), ''],
    [`${groups}${suffix}`, ...milliseconds(full.startMs), megabytes(full.idleMb)],
    [`${groups}, under load${suffix}`, '', '', megabytes(full.loadedMb)],
  ];
}

/**
 * @param {string} groups
 * @param {readonly EmptyBoot[]} empty
 * @param {readonly FullBoot[]} full
 */
function baselineChecks(groups, empty, full) {
  return [
    baselineCheck('listening, empty, first start', empty[0].firstMs, empty[1].firstMs),
    baselineCheck(`listening, ${groups}`, full[0].startMs, full[1].startMs),
    baselineCheck('memory, empty and idle', [empty[0].idleMb], [empty[1].idleMb]),
    baselineCheck(`memory, ${groups}, idle`, [full[0].idleMb], [full[1].idleMb]),
    baselineCheck(`memory, ${groups}, maximum under load`, [full[0].loadedMb], [full[1].loadedMb]),
  ];
}

/**
 * @param {typeof defaults} options
 * @param {readonly string[]} clones
 */
async function bootEmpty({ rounds }, clones) {
  /** @type {EmptyBoot[]} */
  const boots = clones.map(() => ({ firstMs: [], againMs: [], idleMb: 0 }));
  for (let round = 0; round < rounds; round++) {
    progress(`empty: round ${round + 1} of ${rounds}`);
    for (const [at, clone] of clones.entries()) {
      const boot = boots[at];
      const folder = join(temporaryFolder(), 'storage');
      const first = await startService(folder, { clone });
      boot.firstMs.push(first.startMs);
      if (round === 0) {
        await sleep(idleMs);
        boot.idleMb = residentMb(first.pid);
      }
      await first.stop();
      const again = await startService(folder, { clone });
      boot.againMs.push(again.startMs);
      await again.stop();
    }
  }
  return boots;
}

/**
 * @param {typeof defaults} options
 * @param {readonly string[]} clones
 */
async function bootFull({ rounds, groups, requests, connections }, clones) {
  const storages = [];
  for (const clone of clones) storages.push({ clone, ...(await preparedStorage(groups, clone)) });
  /** @type {FullBoot[]} */
  const boots = storages.map(() => ({ startMs: [], idleMb: 0, loadedMb: 0 }));
  for (let round = 1; round < rounds; round++) {
    progress(`${groups} groups: round ${round} of ${rounds}`);
    for (const [at, { folder, clone }] of storages.entries()) {
      const service = await startService(folder, { clone });
      boots[at].startMs.push(service.startMs);
      await service.stop();
    }
  }
  for (const [at, { folder, clone, apiKey }] of storages.entries()) {
    const service = await startService(folder, { clone });
    boots[at].startMs.push(service.startMs);
    await waitUntilIdle(service.pid);
    await sleep(idleMs);
    boots[at].idleMb = residentMb(service.pid);

    progress(`${groups} groups: under load`);
    const reports = reportRequests({ url: service.reportsUrl, apiKey, groups, seed: 2 });
    const memory = watchMemory(service.pid);
    await sendReports(service.reportsUrl, reports, { count: requests, connections });
    await waitUntilIdle(service.pid);
    boots[at].loadedMb = memory.stop();
    await service.stop();
  }
  return boots;
}

/**
 * Formats the median and the maximum.
 *
 * @param {readonly number[]} values
 */
function milliseconds(values) {
  return [`${figure(median(values))} ms`, `${figure(Math.max(...values))} ms`];
}

/** @param {number} value */
function megabytes(value) {
  return `${figure(value, 1)} MB`;
}
