import { setTimeout as sleep } from 'node:timers/promises';
import { openConnection } from './load/connection.mjs';
import { pace } from './load/pace.mjs';
import { reportRequests } from './load/report-requests.mjs';
import { request } from './load/request.mjs';
import { baselineCheck, comparedBuilds } from './measure/baseline.mjs';
import { separateCores } from './measure/cores.mjs';
import { exactCpuMs } from './measure/cpu.mjs';
import { median, percentile } from './measure/statistics.mjs';
import { figure, table } from './output/table.mjs';
import { progress } from './output/progress.mjs';
import { preparedStorage } from './prepared-storage.mjs';
import { authorization, startService } from './servers/service.mjs';

export const title = 'Lists: CPU of GET /errors while reports arrive';

export const defaults = {
  groups: 100_000,
  perSecond: 2_000,
  /** The calls of each kind of query. */
  calls: 300,
  connections: 64,
  /** Another built clone, whose server is measured in turn with this one. */
  baseline: '',
};

/**
 * The kinds of queries. Simple ones, with an order and at most one filter, have a stricter target.
 *
 * @type {{ name: string, query: string, simple: boolean, headers?: Record<string, string> }[]}
 */
const kinds = [
  { name: 'last seen', query: 'sort=last_seen', simple: true },
  { name: 'first seen, ascending', query: 'sort=first_seen&order=asc', simple: true },
  { name: 'count', query: 'sort=count', simple: true },
  { name: 'users', query: 'sort=users', simple: true },
  { name: 'last seen, page 500', query: 'sort=last_seen&page=500', simple: true },
  { name: 'last seen, environment', query: 'environment=staging', simple: true },
  { name: 'count, release', query: 'sort=count&release=shop@4.7.0', simple: true },
  { name: 'users, resolved', query: 'sort=users&status=resolved', simple: true },
  { name: 'last seen, project', query: 'project_id=PROJECT', simple: true },
  { name: 'last seen, compressed', query: 'sort=last_seen', simple: true, headers: { 'Accept-Encoding': 'gzip' } },
  { name: 'three filters', query: 'environment=staging&release=shop@4.7.0&status=active&sort=count', simple: false },
  { name: 'search: a common word', query: 'search=voucher', simple: false },
  { name: 'search: three words', query: 'search=applyGuest+voucher+left', simple: false },
  { name: 'search: no such word', query: 'search=zanzibar', simple: false },
  {
    name: 'search and three filters',
    query: 'search=order&environment=production&status=active&release=shop@4.3.0',
    simple: false,
  },
];

/** The server responds before it cleans up, so its CPU is read a little later. */
const settleMs = 2;

/**
 * A server under load.
 *
 * @typedef {object} Subject
 * @property {import('./servers/service.mjs').Service} service
 * @property {number} projectId
 * @property {Awaited<ReturnType<typeof pace>>} load
 * @property {number} perReportMs
 */

/** @typedef {(typeof kinds)[number] & { cpuMs: number[], latencyMs: number[] }} MeasuredKind */

/** @param {typeof defaults} options */
export async function run(options) {
  const builds = comparedBuilds(options.baseline);
  /** @type {Subject[]} */
  const subjects = [];
  for (const { clone } of builds) subjects.push(await startUnderLoad(options, clone));
  /** @type {MeasuredKind[][]} */
  const measured = subjects.map(() => []);
  for (const kind of kinds) {
    progress(kind.name);
    for (const [at, subject] of subjects.entries()) {
      const url = new URL(
        `/api/v1/errors?${kind.query.replace('PROJECT', String(subject.projectId))}`,
        subject.service.url,
      );
      const bytes = request('GET', url, { headers: { ...authorization, ...kind.headers } });
      measured[at].push({ ...kind, ...(await measure(subject, bytes, options.calls)) });
    }
  }
  const perSecond = [];
  for (const { service, load } of subjects) {
    perSecond.push((await load.stop()).perSecond);
    await service.stop();
  }
  const reports = { asked: options.perSecond, perSecond: perSecond[0], perReportMs: subjects[0].perReportMs };
  return results(measured, builds, reports);
}

/**
 * @param {typeof defaults} options
 * @param {string} clone
 * @returns {Promise<Subject>}
 */
async function startUnderLoad({ groups, perSecond, connections }, clone) {
  const { folder, projectId, apiKey } = await preparedStorage(groups, clone);
  const service = await startService(folder, { wrapper: separateCores(), clone });
  const reports = reportRequests({ url: service.reportsUrl, apiKey, groups, seed: 3 });
  const load = await pace(service.reportsUrl, reports.next, { perSecond, connections });
  progress('warming up');
  await sleep(10_000);
  return { service, projectId, load, perReportMs: await costOfReport(service.pid, load) };
}

/**
 * Measures the CPU of a report while no list is called, in milliseconds.
 *
 * @param {number} pid
 * @param {{ responses(): number }} load
 */
async function costOfReport(pid, load) {
  const cpu = exactCpuMs(pid);
  const responses = load.responses();
  await sleep(5_000);
  return (exactCpuMs(pid) - cpu) / (load.responses() - responses);
}

/**
 * Sends calls one at a time. Subtracts the average CPU of the responses to reports during a call.
 *
 * @param {Subject} subject
 * @param {Buffer} bytes
 * @param {number} calls
 */
async function measure({ service: { url, pid }, load, perReportMs }, bytes, calls) {
  const cpuMs = [];
  const latencyMs = [];
  const connection = await openConnection(url, (error) => {
    throw error;
  });
  // The first calls of a kind are a warm-up.
  for (let call = -20; call < calls; call++) {
    const responses = load.responses();
    const cpu = exactCpuMs(pid);
    const began = performance.now();
    const status = await new Promise((resolve) => connection.exchange(bytes, resolve));
    if (status !== 200) throw new Error(`GET /errors responded with ${status}.`);
    const ms = performance.now() - began;
    await sleep(settleMs);
    const used = exactCpuMs(pid) - cpu - perReportMs * (load.responses() - responses);
    if (call >= 0) {
      cpuMs.push(Math.max(0, used));
      latencyMs.push(ms);
    }
    // Without a pause, slow calls would leave no time for the reports.
    await sleep(ms);
  }
  connection.close();
  return { cpuMs, latencyMs };
}

/**
 * @param {readonly MeasuredKind[][]} measured by build
 * @param {readonly { suffix: string }[]} builds
 * @param {{ asked: number, perSecond: number, perReportMs: number }} reports
 */
function results(measured, builds, { asked, perSecond, perReportMs }) {
  const rows = measured.flatMap((all, at) =>
    all.map(({ name, simple, cpuMs, latencyMs }) => [
      `${name}${builds[at].suffix}`,
      simple ? 'simple' : 'mix',
      figure(median(cpuMs), 2),
      figure(p99(cpuMs), 2),
      figure(median(latencyMs), 2),
      figure(p99(latencyMs), 2),
    ]),
  );
  const [current, baseline] = measured;
  const worst = (/** @type {boolean} */ simple, /** @type {(values: readonly number[]) => number} */ of) =>
    Math.max(...current.filter((kind) => kind.simple === simple).map(({ cpuMs }) => of(cpuMs)));
  const note = `${figure(perSecond)} reports a second were received during the calls, at ${figure(1_000 * perReportMs)} CPU µs each.`;
  return {
    text: `${table(['', 'kind', 'CPU ms, median', 'p99', 'latency ms, median', 'p99'], rows)}\n\n${note}`,
    checks: [
      { name: 'at most one filter, worst median', value: worst(true, median), unit: 'ms', atMost: 1 },
      { name: 'at most one filter, worst p99', value: worst(true, p99), unit: 'ms', atMost: 5 },
      { name: 'reports received during the calls', value: perSecond, unit: 'a second', atLeast: 0.95 * asked },
      { name: 'any mix and search, worst p99', value: worst(false, p99), unit: 'ms', atMost: 25 },
      ...(baseline
        ? [baselineCheck('CPU of a call, median of all kinds', current.map(medianCpuMs), baseline.map(medianCpuMs))]
        : []),
    ],
    data: { perSecond, perReportMs, kinds: current, ...(baseline && { baseline }) },
  };
}

/** @param {MeasuredKind} kind */
function medianCpuMs({ cpuMs }) {
  return median(cpuMs);
}

/** @param {readonly number[]} values */
function p99(values) {
  return percentile(values, 99);
}
