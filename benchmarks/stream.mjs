import { setTimeout as sleep } from 'node:timers/promises';
import { openConnection } from './load/connection.mjs';
import { pace } from './load/pace.mjs';
import { reportRequests } from './load/report-requests.mjs';
import { openReader } from './load/stream-reader.mjs';
import { separateCores } from './measure/cores.mjs';
import { cpuSeconds } from './measure/cpu.mjs';
import { residentMb } from './measure/memory.mjs';
import { waitUntilIdle } from './measure/wait-until-idle.mjs';
import { median, percentile } from './measure/statistics.mjs';
import { temporaryFolder } from './measure/temporary-folder.mjs';
import { progress } from './output/progress.mjs';
import { figure, table } from './output/table.mjs';
import { startService } from './servers/service.mjs';

export const title = 'Live stream: the cost of a thousand subscribers';

export const defaults = {
  readers: 1_000,
  /** The reports that are delivered to all subscribers, one at a time. */
  reports: 200,
  everyMs: 120,
  /** The seconds of each storm. */
  seconds: 8,
};

/** The maximum number of streams of a session or token. */
const readersOfToken = 20;
const stormReaders = 10;
const groups = 1_000;

/** @param {Error} error */
const failed = (error) => {
  throw error;
};

/** @param {typeof defaults} options */
export async function run(options) {
  const service = await startService(temporaryFolder(), { wrapper: separateCores() });
  const { api_key: apiKey } = await service.createProject('Shop');
  const tokens = [];
  for (let made = 0; made < options.readers / readersOfToken; made++)
    tokens.push(/** @type {string} */ ((await service.call('POST', '/auth/tokens', { name: 'Wall' })).token));
  progress('known groups');
  const known = reportRequests({ url: service.reportsUrl, apiKey, groups });
  await send(service, known.take(3 * groups));
  await waitUntilIdle(service.pid);

  const walls = await manyReaders(service, tokens, apiKey, options);
  const one = await storm(service, tokens, { apiKey, groups: 1, perSecond: 5_000, seconds: options.seconds });
  const many = await storm(service, tokens, { apiKey, groups, perSecond: 2_000, seconds: options.seconds });
  await service.stop();
  return results(walls, one, many);
}

/**
 * @param {import('./servers/service.mjs').Service} service
 * @param {readonly Buffer[]} requests
 */
async function send(service, requests) {
  const connection = await openConnection(service.url, failed);
  for (const bytes of requests) await new Promise((resolve) => connection.exchange(bytes, resolve));
  connection.close();
}

/**
 * Sends one report at a time to all subscribers. Measures the CPU of a delivery, and the time from report to event.
 *
 * @param {import('./servers/service.mjs').Service} service
 * @param {readonly string[]} tokens
 * @param {string} apiKey
 * @param {typeof defaults} options
 */
async function manyReaders(service, tokens, apiKey, { readers: count, reports, everyMs }) {
  const requests = reportRequests({ url: service.reportsUrl, apiKey, groups, seed: 2 }).take(reports);
  const idleMb = residentMb(service.pid);
  progress(`${count} readers`);
  let sentAt = 0;
  let deliveries = 0;
  /** @type {number[]} */
  const wallMs = [];
  const onEvents = (/** @type {number} */ events) => {
    deliveries += events;
    if (sentAt > 0) wallMs.push(performance.now() - sentAt);
  };
  const readers = [];
  for (let at = 0; at < count; at++)
    readers.push(await openReader(service.url, tokens[Math.floor(at / readersOfToken)] ?? '', onEvents));
  await waitUntilIdle(service.pid);
  const openMb = residentMb(service.pid);

  const connection = await openConnection(service.url, failed);
  const cpu = cpuSeconds(service.pid);
  for (const bytes of requests) {
    sentAt = performance.now();
    await new Promise((resolve) => connection.exchange(bytes, resolve));
    await sleep(everyMs);
  }
  await waitUntilIdle(service.pid);
  sentAt = 0;
  const cpuMicroseconds = (1e6 * (cpuSeconds(service.pid) - cpu)) / deliveries;
  connection.close();
  const deliveredMb = residentMb(service.pid);
  for (const reader of readers) reader.close();
  await waitUntilIdle(service.pid);
  if (deliveries < reports * count) throw new Error(`${reports * count} events were due, ${deliveries} arrived.`);
  return { count, deliveries, cpuMicroseconds, wallMs, memoryMb: Math.max(openMb, deliveredMb) - idleMb };
}

/**
 * Sends reports at a fixed rate and measures the events that a subscriber receives.
 *
 * @param {import('./servers/service.mjs').Service} service
 * @param {readonly string[]} tokens
 * @param {{ apiKey: string, groups: number, perSecond: number, seconds: number }} options
 */
async function storm(service, tokens, { apiKey, groups: busy, perSecond, seconds }) {
  progress(`a storm of ${busy} groups`);
  const requests = reportRequests({ url: service.reportsUrl, apiKey, groups: busy, seed: 5 });
  const prepared = requests.take(20_000);
  let next = 0;
  const load = await pace(service.reportsUrl, () => prepared[next++] ?? requests.next(), {
    perSecond,
    connections: 64,
  });
  await sleep(1_000);
  const readers = await Promise.all(
    Array.from({ length: stormReaders }, () => openReader(service.url, tokens[0] ?? '')),
  );
  const [reader] = readers;
  await sleep(1_000);
  const before = { ...reader.seen };
  const [responses, cpu, began] = [load.responses(), cpuSeconds(service.pid), performance.now()];
  await sleep(seconds * 1_000);
  const passed = (performance.now() - began) / 1_000;
  const after = { ...reader.seen };
  const reports = load.responses() - responses;
  const cpuMicroseconds = (1e6 * (cpuSeconds(service.pid) - cpu)) / reports;
  await load.stop();
  for (const one of readers) one.close();
  return {
    busy,
    reportsPerSecond: reports / passed,
    eventsPerSecond: (after.events - before.events) / passed,
    writesPerSecond: (after.writes - before.writes) / passed,
    cpuMicroseconds,
  };
}

/**
 * @param {Awaited<ReturnType<typeof manyReaders>>} walls
 * @param {Awaited<ReturnType<typeof storm>>} one
 * @param {Awaited<ReturnType<typeof storm>>} many
 */
function results(walls, one, many) {
  const { count, deliveries, cpuMicroseconds, wallMs, memoryMb } = walls;
  const text = [
    table(
      [`${figure(count)} readers`, ''],
      [
        ['events delivered', figure(deliveries)],
        ['CPU µs a delivery', figure(cpuMicroseconds, 1)],
        ['from sending a report, median ms', figure(median(wallMs), 1)],
        ['from sending a report, p99 ms', figure(percentile(wallMs, 99), 1)],
        ['added memory, MB', figure(memoryMb, 1)],
      ],
    ),
    table(
      [`a storm, ${stormReaders} readers`, 'reports a second', 'events a second', 'writes', 'CPU µs a report'],
      [one, many].map((each) => [
        each.busy === 1 ? 'one group' : `${figure(each.busy)} groups`,
        figure(each.reportsPerSecond),
        figure(each.eventsPerSecond, 1),
        figure(each.writesPerSecond, 1),
        figure(each.cpuMicroseconds, 1),
      ]),
    ),
  ].join('\n\n');
  const checks = [
    { name: 'CPU a delivery', value: cpuMicroseconds, unit: 'µs', atMost: 20 },
    { name: 'from sending a report, median', value: median(wallMs), unit: 'ms', atMost: 20 },
    { name: 'memory for all readers', value: memoryMb, unit: 'MB', atMost: 40 },
    { name: 'one busy group: events a second', value: one.eventsPerSecond, unit: '', atMost: 5 },
    { name: '1,000 busy groups: writes a second', value: many.writesPerSecond, unit: '', atMost: 20 },
    {
      name: '1,000 busy groups: events a write',
      value: many.eventsPerSecond / many.writesPerSecond,
      unit: '',
      atLeast: 3,
    },
  ];
  return { text, checks, data: { walls: { ...walls, wallMs: undefined }, one, many } };
}
