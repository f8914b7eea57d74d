import { setTimeout as sleep } from 'node:timers/promises';
import { startPostgres } from './servers/postgres.mjs';
import { startService } from './servers/service.mjs';
import { drive } from './load/drive.mjs';
import { reportRequests } from './load/report-requests.mjs';
import { cpuSeconds } from './measure/cpu.mjs';
import { waitUntilIdle } from './measure/wait-until-idle.mjs';
import { median } from './measure/statistics.mjs';
import { temporaryFolder } from './measure/temporary-folder.mjs';
import { progress } from './output/progress.mjs';
import { figure, table } from './output/table.mjs';

export const title = 'Cluster: two servers on PostgreSQL, compared with one on file:';

export const defaults = {
  rounds: 3,
  requests: 10_000,
  groups: 1_000,
  connections: 128,
  /** Reports that are looked for at the other server once they are accepted. */
  visible: 300,
  /** Groups that exist when a server takes over. */
  takeoverGroups: 10_000,
};

export const full = { rounds: 5, requests: 30_000, takeoverGroups: 100_000 };

/** @typedef {{ name: string, url: URL, pids: number[], apiKey: string }} Subject */

/** @param {typeof defaults} options */
export async function run(options) {
  const engine = await startPostgres();
  const file = await startService(temporaryFolder());
  const env = { SERVICE_LOG_LEVEL: 'silent' };
  const holder = await startService('', { env, storage: engine.url });
  const standby = await startService('', { env, storage: engine.url });
  const ofFile = await file.createProject('bench');
  const ofCluster = await holder.createProject('bench');
  /** @type {Subject[]} */
  const subjects = [
    { name: 'file:', url: file.reportsUrl, pids: [file.pid], apiKey: ofFile.api_key },
    { name: 'postgres:, at the holder', url: holder.reportsUrl, pids: [holder.pid], apiKey: ofCluster.api_key },
    {
      name: 'postgres:, forwarded (both servers)',
      url: standby.reportsUrl,
      pids: [holder.pid, standby.pid],
      apiKey: ofCluster.api_key,
    },
  ];
  const rounds = new Map(subjects.map((subject) => [subject, /** @type {Round[]} */ ([])]));
  for (const subject of subjects) {
    progress(`warming up: ${subject.name}`);
    await measure(subject, engine, options);
  }
  for (let round = 0; round < options.rounds; round++) {
    progress(`round ${round + 1} of ${options.rounds}`);
    for (const subject of subjects) rounds.get(subject)?.push(await measure(subject, engine, options));
  }
  const measured = subjects.map((subject) => {
    const all = rounds.get(subject) ?? [];
    return {
      name: subject.name,
      perSecond: median(all.map(({ perSecond }) => perSecond)),
      cpu: median(all.map(({ cpu }) => cpu)),
      engineCpu: median(all.map(({ engineCpu }) => engineCpu)),
    };
  });
  progress('visible at the other server');
  const visibleMs = await measureVisible(holder, standby, ofCluster, options.visible);
  progress('filling for the takeovers');
  const fill = reportRequests({
    url: holder.reportsUrl,
    apiKey: ofCluster.api_key,
    groups: options.takeoverGroups,
    seed: 7,
  });
  await drive(holder.reportsUrl, fill.take(options.takeoverGroups), options);
  progress('takeovers');
  const takeovers = await measureTakeovers(engine.url, holder, standby, ofCluster.api_key);
  await file.stop();
  return results(measured, { ...takeovers, visibleMs });
}

/**
 * Reports a second, and microseconds of CPU per report: those of our servers and those of PostgreSQL.
 *
 * @typedef {{ perSecond: number, cpu: number, engineCpu: number }} Round
 */

/**
 * @param {Subject} subject
 * @param {Awaited<ReturnType<typeof startPostgres>>} engine
 * @param {typeof defaults} options
 * @returns {Promise<Round>}
 */
async function measure({ url, pids, apiKey }, engine, options) {
  const { requests, groups } = options;
  const prepared = reportRequests({ url, apiKey, groups }).take(requests);
  for (const pid of pids) await waitUntilIdle(pid);
  const cpuOf = () => pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0);
  let [before, engineBefore] = [0, 0];
  const { seconds } = await drive(url, prepared, {
    ...options,
    onStart: () => ([before, engineBefore] = [cpuOf(), engine.cpuSeconds()]),
  });
  return {
    perSecond: requests / seconds,
    cpu: ((cpuOf() - before) * 1e6) / requests,
    engineCpu: ((engine.cpuSeconds() - engineBefore) * 1e6) / requests,
  };
}

/**
 * Resolves with the 99th percentile of the milliseconds from the response to a report until the other server shows it.
 *
 * @param {import('./servers/service.mjs').Service} holder
 * @param {import('./servers/service.mjs').Service} standby
 * @param {{ id: number, api_key: string }} project
 * @param {number} count
 */
async function measureVisible(holder, standby, project, count) {
  const body = JSON.stringify({ project_api_key: project.api_key, message: 'The report that is looked for' });
  const times = [];
  /** @type {number | null} */
  let groupId = null;
  for (let index = 0, counted = 0; index < count; index++) {
    const response = await fetch(holder.reportsUrl, { method: 'POST', headers: json, body });
    const { error_group_id } = /** @type {{ error_group_id: number }} */ (await response.json());
    const began = performance.now();
    groupId ??= error_group_id;
    let seen = counted;
    while (seen <= counted) seen = (await standby.call('GET', `/errors/${groupId}`)).count;
    counted = seen;
    times.push(performance.now() - began);
  }
  return /** @type {number} */ (times.toSorted((one, other) => one - other)[Math.floor(count * 0.99)]);
}

const json = { 'content-type': 'application/json' };

/**
 * Measures how long a report at another server takes after the holder was paused, and after its successor was killed.
 *
 * @param {string} storage
 * @param {import('./servers/service.mjs').Service} holder
 * @param {import('./servers/service.mjs').Service} standby
 * @param {string} apiKey
 */
async function measureTakeovers(storage, holder, standby, apiKey) {
  await sleep(1_000);
  process.kill(holder.pid, 'SIGSTOP');
  const pausedMs = await untilAccepted(standby.reportsUrl, apiKey);
  process.kill(holder.pid, 'SIGKILL');
  const next = await startService('', { env: { SERVICE_LOG_LEVEL: 'silent' }, storage });
  await sleep(1_000);
  process.kill(standby.pid, 'SIGKILL');
  const killedMs = await untilAccepted(next.reportsUrl, apiKey);
  process.kill(next.pid, 'SIGKILL');
  return { pausedMs, killedMs };
}

/**
 * @param {URL} url
 * @param {string} apiKey
 */
async function untilAccepted(url, apiKey) {
  const began = performance.now();
  for (;;) {
    const body = JSON.stringify({ project_api_key: apiKey, message: 'It broke' });
    const response = await fetch(url, { method: 'POST', headers: json, body });
    await response.text();
    if (response.ok) return performance.now() - began;
    await sleep(50);
  }
}

/**
 * @param {{ name: string, perSecond: number, cpu: number, engineCpu: number }[]} measured
 * @param {{ pausedMs: number, killedMs: number, visibleMs: number }} takeovers
 */
function results(measured, takeovers) {
  const [file, holder, forwarded] = measured;
  const rows = measured.map(({ name, perSecond, cpu, engineCpu }) => [
    name,
    figure(perSecond, 0),
    figure(cpu, 1),
    figure(engineCpu, 1),
  ]);
  const checks = [
    { name: "CPU of a report: the holder's ÷ file:", value: holder.cpu / file.cpu, unit: '', atMost: 1.15 },
    { name: 'CPU of PostgreSQL per report', value: holder.engineCpu, unit: 'µs', atMost: 20 },
    { name: 'CPU of forwarding a report', value: forwarded.cpu - holder.cpu, unit: 'µs', atMost: 25 },
    { name: 'report visible at the other server, p99', value: takeovers.visibleMs, unit: 'ms', atMost: 250 },
    { name: 'takeover from a paused holder', value: takeovers.pausedMs / 1_000, unit: 's', atMost: 6 },
    { name: 'takeover from a killed holder', value: takeovers.killedMs / 1_000, unit: 's', atMost: 1 },
  ];
  const text = table(['server', 'reports/s', 'µs CPU per report', 'µs CPU of PostgreSQL'], rows);
  return { text, checks, data: { measured, takeovers } };
}
