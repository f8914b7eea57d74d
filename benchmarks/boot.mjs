import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { reportRequests } from './load/report-requests.mjs';
import { sendReports } from './load/send-reports.mjs';
import { residentMb, watchMemory } from './measure/memory.mjs';
import { quiet } from './measure/quiet.mjs';
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
};

/** The time without requests after which a server's memory counts as idle. */
const idleMs = 2_000;

/** @param {typeof defaults} options */
export async function run(options) {
  const empty = await bootEmpty(options);
  const full = await bootFull(options);
  const rows = [
    [
      'empty, first start',
      milliseconds(empty.firstMs),
      milliseconds(empty.firstMs, Math.max),
      `${figure(empty.idleMb, 1)} MB`,
    ],
    ['empty, started again', milliseconds(empty.againMs), milliseconds(empty.againMs, Math.max), ''],
    [
      `${figure(options.groups)} groups`,
      milliseconds(full.startMs),
      milliseconds(full.startMs, Math.max),
      `${figure(full.idleMb, 1)} MB`,
    ],
    [`${figure(options.groups)} groups, under load`, '', '', `${figure(full.loadedMb, 1)} MB`],
  ];
  const groups = `${figure(options.groups)} groups`;
  return {
    text: table(['', 'listening (median)', 'slowest', 'resident memory'], rows),
    checks: [
      { name: 'listening, empty, first start', value: median(empty.firstMs), unit: 'ms', atMost: 150 },
      { name: `listening, ${groups}`, value: median(full.startMs), unit: 'ms', atMost: 500 },
      { name: 'memory, empty and idle', value: empty.idleMb, unit: 'MB', atMost: 75 },
      { name: `memory, ${groups}, maximum under load`, value: full.loadedMb, unit: 'MB', atMost: 200 },
    ],
    data: { empty, full },
  };
}

/** @param {typeof defaults} options */
async function bootEmpty({ rounds }) {
  const firstMs = [];
  const againMs = [];
  let idleMb = 0;
  for (let round = 0; round < rounds; round++) {
    progress(`empty: round ${round + 1} of ${rounds}`);
    const folder = join(temporaryFolder(), 'storage');
    const first = await startService(folder);
    firstMs.push(first.startMs);
    if (round === 0) {
      await sleep(idleMs);
      idleMb = residentMb(first.pid);
    }
    await first.stop();
    const again = await startService(folder);
    againMs.push(again.startMs);
    await again.stop();
  }
  return { firstMs, againMs, idleMb };
}

/** @param {typeof defaults} options */
async function bootFull({ rounds, groups, requests, connections }) {
  const { folder, apiKey } = await preparedStorage(groups);
  const startMs = [];
  for (let round = 1; round < rounds; round++) {
    progress(`${groups} groups: round ${round} of ${rounds}`);
    const service = await startService(folder);
    startMs.push(service.startMs);
    await service.stop();
  }
  const service = await startService(folder);
  startMs.push(service.startMs);
  await quiet(service.pid);
  await sleep(idleMs);
  const idleMb = residentMb(service.pid);

  progress(`${groups} groups: under load`);
  const reports = reportRequests({ url: service.reportsUrl, apiKey, groups, seed: 2 });
  const memory = watchMemory(service.pid);
  await sendReports(service.reportsUrl, reports, { count: requests, connections });
  await quiet(service.pid);
  const loadedMb = memory.stop();
  await service.stop();
  return { startMs, idleMb, loadedMb };
}

/**
 * @param {readonly number[]} values
 * @param {(...values: number[]) => number} [of]
 */
function milliseconds(values, of) {
  return `${figure(of ? of(...values) : median(values))} ms`;
}
