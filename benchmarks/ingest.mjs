import { randomFraction } from '../test/test-utils/seeded-random.mjs';
import { startService } from './servers/service.mjs';
import { startBareH3, startSpotlight, startSpotlightSidecar } from './servers/compared.mjs';
import { drive } from './load/drive.mjs';
import { envelope } from './load/envelope.mjs';
import { incident } from './load/incident.mjs';
import { reportRequests } from './load/report-requests.mjs';
import { request } from './load/request.mjs';
import { baselineCheck, comparedBuilds } from './measure/baseline.mjs';
import { separateCores } from './measure/cores.mjs';
import { cpuSeconds } from './measure/cpu.mjs';
import { deferredWorkMs, waitUntilIdle } from './measure/wait-until-idle.mjs';
import { median, sum } from './measure/statistics.mjs';
import { temporaryFolder } from './measure/temporary-folder.mjs';
import { progress } from './output/progress.mjs';
import { figure, table } from './output/table.mjs';

export const title = 'Ingest: reports of 2.7 KB, each response after a durable write';

export const defaults = {
  rounds: 5,
  /** The requests of a round. Spotlight gets fewer, because it would take minutes. */
  requests: 30_000,
  spotlightRequests: 2_000,
  groups: 1_000,
  connections: 64,
  /** Another built clone, whose server is measured in turn with this one. */
  baseline: '',
};

/** The first 100 reports of each group are stored whole (SERVICE_RETENTION_REPORTS), which costs more than counting. */
const storedReportsPerGroup = 100;
const spotlightWarmUp = 8_000;

/**
 * A measured server.
 *
 * @typedef {object} Subject
 * @property {string} name
 * @property {import('./servers/start.mjs').ServerProcess} server
 * @property {URL} url the target of the requests
 * @property {number} requests the requests of a round
 * @property {number} warmUp the requests before the first round
 * @property {() => Promise<{ take(count: number): Buffer[] }>} newRound prepares the requests of a round
 * @property {() => Promise<void>} assertReceived rejects if our server's counts are wrong, or Spotlight parsed nothing
 */

/** @typedef {{ requests: number, seconds: number, cpuSeconds: number, loadBusy: number }} Round */

/** @param {typeof defaults} options */
export async function run(options) {
  const wrapper = separateCores();
  const subjects = [await bareH3(options, wrapper)];
  const builds = comparedBuilds(options.baseline);
  for (const build of builds) subjects.push(await repeats(options, wrapper, build));
  for (const build of builds) subjects.push(await firsts(options, wrapper, build));
  for (const build of builds) {
    const events = await sentryEvents(options, wrapper, build);
    if (events) subjects.push(events);
  }
  subjects.push(
    spotlight('Spotlight 4.11.8, its command', await startSpotlight(wrapper), options),
    spotlight('Spotlight 4.11.8, bare sidecar', await startSpotlightSidecar(wrapper), options),
  );
  for (const subject of subjects) {
    progress(`warming up: ${subject.name}`);
    await warm(subject, options);
  }

  /** @type {Map<Subject, Round[]>} */
  const rounds = new Map(subjects.map((subject) => [subject, []]));
  const before = await settledCpu(subjects);
  for (let round = 0; round < options.rounds; round++) {
    progress(`round ${round + 1} of ${options.rounds}`);
    // Each server is first in turn, so that heat and throttling affect all alike.
    for (const at of subjects.keys()) {
      const subject = subjects[(at + round) % subjects.length];
      rounds.get(subject)?.push(await measure(subject, options));
    }
  }
  const after = await settledCpu(subjects);
  for (const { assertReceived } of subjects) await assertReceived();
  for (const { server } of subjects) await server.stop();
  const overall = new Map(subjects.map((subject, at) => [subject, after[at] - before[at]]));
  return results(rounds, overall, builds.length);
}

/**
 * Returns the CPU seconds of each server once its deferred work is done.
 *
 * @param {readonly Subject[]} subjects
 */
async function settledCpu(subjects) {
  for (const { server } of subjects) await waitUntilIdle(server.pid, deferredWorkMs);
  return subjects.map(({ server }) => cpuSeconds(server.pid));
}

/**
 * @param {typeof defaults} options
 * @param {readonly string[]} wrapper
 * @returns {Promise<Subject>}
 */
async function bareH3({ requests, groups }, wrapper) {
  const server = await startBareH3(wrapper);
  const url = new URL('/api/v1/errors', server.url);
  const reports = reportRequests({ url, apiKey: '0'.repeat(32), groups });
  return {
    name: 'bare h3 2.0.8, body unread',
    server,
    url,
    // Its requests are so cheap that a round of the usual length would take only a few ticks of CPU.
    requests: 2 * requests,
    warmUp: 2 * requests,
    newRound: async () => reports,
    assertReceived: async () => {},
  };
}

/**
 * Our server with known groups that already have their first reports: the cost of a storm.
 *
 * @param {typeof defaults} options
 * @param {readonly string[]} wrapper
 * @param {{ clone: string, suffix: string }} build
 * @returns {Promise<Subject>}
 */
async function repeats({ requests, rounds, groups }, wrapper, { clone, suffix }) {
  const service = await startService(temporaryFolder(), { wrapper, clone });
  const { id, api_key } = await service.createProject('repeats');
  const reports = reportRequests({ url: service.reportsUrl, apiKey: api_key, groups });
  const warmUp = Math.max(requests, groups * storedReportsPerGroup);
  return {
    name: `service, a storm${suffix}`,
    server: service,
    url: service.reportsUrl,
    requests,
    warmUp,
    newRound: async () => reports,
    assertReceived: () => assertCounted(service, [{ id, groups, reports: warmUp + rounds * requests }]),
  };
}

/**
 * Our server with a new project each round, so that every report is one of the first of its group and stored whole.
 *
 * @param {typeof defaults} options
 * @param {readonly string[]} wrapper
 * @param {{ clone: string, suffix: string }} build
 * @returns {Promise<Subject>}
 */
async function firsts({ requests, groups }, wrapper, { clone, suffix }) {
  const service = await startService(temporaryFolder(), { wrapper, clone });
  const perRound = Math.min(requests, groups * storedReportsPerGroup);
  /** @type {{ id: number, groups: number, reports: number }[]} */
  const expected = [];
  return {
    name: `service, all reports stored${suffix}`,
    server: service,
    url: service.reportsUrl,
    requests: perRound,
    warmUp: perRound,
    async newRound() {
      const { id, api_key } = await service.createProject(`round ${expected.length}`);
      expected.push({ id, groups: Math.min(groups, perRound), reports: perRound });
      return reportRequests({ url: service.reportsUrl, apiKey: api_key, groups, seed: id });
    },
    assertReceived: () => assertCounted(service, expected),
  };
}

/**
 * Our server as in `repeats`, but it gets the same incidents as envelopes, like those of a Sentry SDK. Returns null for
 * a baseline that does not accept envelopes.
 *
 * @param {typeof defaults} options
 * @param {readonly string[]} wrapper
 * @param {{ clone: string, suffix: string }} build
 * @returns {Promise<Subject | null>}
 */
async function sentryEvents({ requests, rounds, groups }, wrapper, { clone, suffix }) {
  const service = await startService(temporaryFolder(), { wrapper, clone });
  const { id } = await service.createProject('sentry');
  const { dsn } = await service.call('GET', `/projects/${id}`);
  if (dsn === undefined) {
    await service.stop();
    return null;
  }
  const url = new URL(`/api/${id}/envelope/?sentry_version=7&sentry_key=${new URL(dsn).username}`, service.url);
  const warmUp = Math.max(requests, groups * storedReportsPerGroup);
  return {
    name: `service, a storm of Sentry events${suffix}`,
    server: service,
    url,
    requests,
    warmUp,
    newRound: async () => envelopeRequests(url, 'text/plain;charset=UTF-8', groups),
    assertReceived: () => assertCounted(service, [{ id, groups, reports: warmUp + rounds * requests }]),
  };
}

/**
 * Prepares requests like those of a Sentry SDK. Each has an error of the next group, in turn.
 *
 * @param {URL} url
 * @param {string} contentType
 * @param {number} groups
 */
function envelopeRequests(url, contentType, groups) {
  const headers = { 'Content-Type': contentType };
  const random = randomFraction(1);
  let made = 0;
  const next = () => request('POST', url, { headers, body: envelope(incident(made++ % groups, random)) });
  return { take: (/** @type {number} */ count) => Array.from({ length: count }, next) };
}

/**
 * @param {string} name
 * @param {import('./servers/start.mjs').ServerProcess} server
 * @param {typeof defaults} options
 * @returns {Subject}
 */
function spotlight(name, server, { spotlightRequests: requests, groups }) {
  const url = new URL('/stream', server.url);
  const envelopes = envelopeRequests(url, 'application/x-sentry-envelope', groups);
  return {
    name,
    server,
    url,
    requests,
    // The first requests cost three times as much as later ones.
    warmUp: spotlightWarmUp,
    newRound: async () => envelopes,
    assertReceived: () => assertReadable(url),
  };
}

/**
 * @param {import('./servers/service.mjs').Service} service
 * @param {readonly { id: number, groups: number, reports: number }[]} expected by project
 */
async function assertCounted(service, expected) {
  for (const { id, groups, reports } of expected) {
    const counted = await service.count(id);
    if (counted.groups !== groups || counted.reports !== reports) {
      throw new Error(
        `Sent ${reports} reports of ${groups} groups; the server has counted ${JSON.stringify(counted)}.`,
      );
    }
  }
}

/**
 * Spotlight responds 200 to any body. An event in its stream proves that it could parse the envelopes.
 *
 * @param {URL} stream
 */
async function assertReadable(stream) {
  const response = await fetch(stream, { headers: { accept: 'text/event-stream' } });
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes('ShopPage.')) return;
    if (text.length > 1e6) break;
  }
  throw new Error('Spotlight could not parse the envelopes.');
}

/**
 * @param {Subject} subject
 * @param {typeof defaults} options
 */
async function warm(subject, options) {
  const requests = await subject.newRound();
  for (let left = subject.warmUp; left > 0; left -= options.requests) {
    await drive(subject.url, requests.take(Math.min(left, options.requests)), options);
  }
  await waitUntilIdle(subject.server.pid);
}

/**
 * @param {Subject} subject
 * @param {typeof defaults} options
 * @returns {Promise<Round>}
 */
async function measure({ server, url, requests, newRound }, options) {
  const prepared = (await newRound()).take(requests);
  await waitUntilIdle(server.pid);
  let before = 0;
  const { seconds, loadBusy } = await drive(url, prepared, {
    ...options,
    onStart: () => (before = cpuSeconds(server.pid)),
  });
  // The server's work right after its responses belongs to these requests, too.
  await waitUntilIdle(server.pid);
  return { requests, seconds, cpuSeconds: cpuSeconds(server.pid) - before, loadBusy };
}

/**
 * @param {Map<Subject, Round[]>} roundsOf
 * @param {Map<Subject, number>} overall CPU seconds from the first round until all deferred work is done
 * @param {number} builds the number of measured builds of our server
 */
function results(roundsOf, overall, builds) {
  const measured = [...roundsOf].map(([subject, rounds]) => ({
    name: subject.name,
    rounds,
    /** The median round. */
    cpuMicroseconds: median(rounds.map(cpuMicroseconds)),
    /** Everything from the first round on: deferred work runs between rounds too. */
    cpuMicrosecondsOverall: (1e6 * (overall.get(subject) ?? 0)) / sum(rounds.map((round) => round.requests)),
    requestsPerSecond: median(rounds.map(({ requests, seconds }) => requests / seconds)),
    loadBusy: median(rounds.map(({ loadBusy }) => loadBusy)),
  }));
  const [bare, ...others] = measured;
  const storms = others.slice(0, builds);
  const stored = others.slice(builds, 2 * builds);
  const [sentry] = others.slice(2 * builds);
  const [spotlightCommand, spotlightSidecar] = others.slice(-2);
  const rows = measured.map((subject) => [
    subject.name,
    figure(subject.cpuMicroseconds, 1),
    `${figure(Math.min(...subject.rounds.map(cpuMicroseconds)), 1)}–${figure(Math.max(...subject.rounds.map(cpuMicroseconds)), 1)}`,
    figure(subject.cpuMicrosecondsOverall, 1),
    figure(1e6 / subject.cpuMicrosecondsOverall),
    figure(subject.requestsPerSecond),
    `${figure(100 * subject.loadBusy)} %`,
  ]);
  const checks = [storms, stored].flatMap(([service, baseline]) => [
    ...['cpuMicroseconds', 'cpuMicrosecondsOverall'].map((which) => ({
      name: `${service.name} ÷ bare h3, requests a CPU second, ${which === 'cpuMicroseconds' ? 'median round' : 'all rounds'}`,
      value: bare[which] / service[which],
      unit: '',
      atLeast: 0.45,
      aim: 0.6,
    })),
    {
      name: `${service.name} ÷ Spotlight, reports a CPU second`,
      value: spotlightCommand.cpuMicrosecondsOverall / service.cpuMicrosecondsOverall,
      unit: '×',
      atLeast: 40,
    },
    ...(baseline
      ? [
          baselineCheck(service.name, service.rounds.map(cpuMicroseconds), baseline.rounds.map(cpuMicroseconds)),
          baselineCheck(
            `${service.name}, all rounds`,
            [service.cpuMicrosecondsOverall],
            [baseline.cpuMicrosecondsOverall],
          ),
        ]
      : []),
  ]);
  checks.push({
    name: 'our report ÷ the same report of a Sentry SDK, CPU of a storm',
    value: storms[0].cpuMicrosecondsOverall / sentry.cpuMicrosecondsOverall,
    unit: '',
    atLeast: 0.5,
  });
  const sidecar = figure(spotlightSidecar.cpuMicrosecondsOverall / stored[0].cpuMicrosecondsOverall, 1);
  const note = `${stored[0].name} ÷ Spotlight's bare sidecar, reports a CPU second: ${sidecar} ×. Users do not start the bare sidecar.`;
  const head = [
    '',
    'CPU µs a request',
    'range of the rounds',
    'all rounds',
    'requests a CPU second',
    'requests a second',
    'load busy',
  ];
  return { text: `${table(head, rows)}\n\n${note}`, checks, data: measured };
}

/** @param {Round} round */
function cpuMicroseconds(round) {
  return (1e6 * round.cpuSeconds) / round.requests;
}
