import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openExchange } from './load/exchange.mjs';
import { reportRequests } from './load/report-requests.mjs';
import { request } from './load/request.mjs';
import { separateCores } from './measure/cores.mjs';
import { folderBytes } from './measure/folder-size.mjs';
import { watchMemory } from './measure/memory.mjs';
import { median, percentile } from './measure/statistics.mjs';
import { temporaryFolder } from './measure/temporary-folder.mjs';
import { progress } from './output/progress.mjs';
import { figure, table } from './output/table.mjs';
import { startService } from './servers/service.mjs';

export const title = 'Fairness: the requests of one team while another one floods the server';

export const defaults = {
  /** Seconds of each flood, and without one. */
  seconds: 20,
  /** Requests of the honest team. */
  reportsPerSecond: 50,
  listsPerSecond: 25,
  /** The limits of the reports of a project and of the source maps of a team, in MB. */
  projectMb: 64,
  sourceMapMb: 64,
};

export const full = { seconds: 60 };

/** @typedef {import('./load/flood.mjs').FloodKind} FloodKind */

/** @type {readonly FloodKind[]} */
const kinds = ['reports', 'huge reports', 'uploads', 'streams', 'searches', 'cold stacks'];
/** Each token may have 20 streams. */
const greedyTokens = 25;
/** The flood is running at its full rate after this time. */
const settleMs = 2_000;
const password = 'correct horse battery';

/**
 * The requests of the honest team during one flood.
 *
 * @typedef {object} Measured
 * @property {string} name
 * @property {number[]} posts milliseconds
 * @property {number[]} lists milliseconds
 * @property {number} refused the requests with another status than 200
 * @property {number} rssMb
 * @property {Record<string, number>} flood responses by kind and status
 */

/** @param {typeof defaults} options */
export async function run(options) {
  const folder = temporaryFolder();
  const service = await startService(folder, {
    wrapper: separateCores(),
    env: {
      SERVICE_REGISTRATION: 'open',
      SERVICE_PROJECT_MB: String(options.projectMb),
      SERVICE_SOURCE_MAP_MB: String(options.sourceMapMb),
      SERVICE_LOG_LEVEL: 'error',
    },
  });
  const greedy = await register(service, 'greedy');
  const honest = await register(service, 'honest');
  const tokens = await Promise.all(
    Array.from({ length: greedyTokens }, (_, index) => createToken(service, greedy, index)),
  );
  const measure = async (/** @type {string} */ name, /** @type {readonly FloodKind[]} */ floods) => {
    progress(name);
    const flood = await startFlood({ url: service.url.href, ...greedy, tokens, kinds: floods });
    await sleep(settleMs);
    const memory = watchMemory(service.pid);
    const probes = await probe(service, honest, options);
    const responses = await flood.stop();
    return { name, ...probes, rssMb: memory.stop(), flood: responses };
  };

  progress('warming up');
  await measure('warm-up', []);
  /** @type {Measured[]} */
  const measured = [await measure('alone', [])];
  for (const kind of kinds) measured.push(await measure(kind, [kind]));
  measured.push(await measure('all of them', kinds));
  await sleep(settleMs);
  const diskMb = folderBytes(folder) / 2 ** 20;
  await service.stop();
  return results(measured, diskMb, options);
}

/**
 * @param {import('./servers/service.mjs').Service} service
 * @param {string} name
 */
async function register(service, name) {
  const { access_token } = await post(service, '/auth/register', {
    email: `${name}@shop.example`,
    password,
    team_name: name,
  });
  const project = await post(service, '/projects', { name }, access_token);
  return { token: access_token, projectId: project.id, apiKey: project.api_key };
}

/**
 * @param {import('./servers/service.mjs').Service} service
 * @param {{ token: string }} user
 * @param {number} index
 */
async function createToken(service, { token }, index) {
  return (await post(service, '/auth/tokens', { name: `flood ${index}` }, token)).token;
}

/**
 * @param {import('./servers/service.mjs').Service} service
 * @param {string} path
 * @param {object} body
 * @param {string} [token]
 */
async function post({ url }, path, body, token) {
  const response = await fetch(new URL(`/api/v1${path}`, url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`POST ${path} responded with ${response.status}: ${await response.text()}`);
  return /** @type {any} */ (await response.json());
}

/**
 * Starts a flood in another process, and resolves once it is running. That process has a low priority, because this one
 * measures the requests of the honest team on the same core.
 *
 * @param {object} options of `flood.mjs`
 */
async function startFlood(options) {
  const child = fork(join(import.meta.dirname, 'load/flood.mjs'), [JSON.stringify(options)], {
    execArgv: ['--max-old-space-size=1024'],
  });
  const exit = once(child, 'exit');
  await Promise.race([once(child, 'message'), exit.then(() => Promise.reject(new Error('The flood stopped.')))]);
  return {
    /** @returns {Promise<Record<string, number>>} */
    async stop() {
      const counts = once(child, 'message');
      child.kill('SIGTERM');
      const [responses] = await counts;
      await exit;
      return responses;
    },
  };
}

/**
 * Sends the requests of the honest team, each on time, and waits for their responses.
 *
 * @param {import('./servers/service.mjs').Service} service
 * @param {{ token: string, apiKey: string }} team
 * @param {typeof defaults} options
 */
async function probe({ url, reportsUrl }, { token, apiKey }, { seconds, reportsPerSecond, listsPerSecond }) {
  const reports = reportRequests({ url: reportsUrl, apiKey, groups: 100, seed: 3 });
  const list = request('GET', new URL('/api/v1/errors?size=50', url), {
    headers: { Authorization: `Bearer ${token}` },
  });
  const [posts, lists] = await Promise.all([
    send(url, reports.next, reportsPerSecond, seconds),
    send(url, () => list, listsPerSecond, seconds),
  ]);
  return { posts: posts.ms, lists: lists.ms, refused: posts.refused + lists.refused };
}

/**
 * Sends requests at fixed times. The time of a response counts from when its request was due, also if the request had
 * to wait for a connection.
 *
 * @param {URL} url
 * @param {() => Buffer} next
 * @param {number} perSecond
 * @param {number} seconds
 */
async function send(url, next, perSecond, seconds) {
  /** @type {Awaited<ReturnType<typeof openExchange>>[]} */
  const idle = [];
  /** @type {number[]} */
  const ms = [];
  let refused = 0;
  const sendOne = async () => {
    const due = performance.now();
    const { exchange, close } = idle.pop() ?? (await openExchange(url));
    const status = await exchange(next());
    ms.push(performance.now() - due);
    if (status !== 200) refused++;
    else idle.push({ exchange, close });
  };
  const sent = [];
  const began = performance.now();
  for (let count = 0; count < perSecond * seconds; count++) {
    await sleep(Math.max(0, began + (count * 1_000) / perSecond - performance.now()));
    sent.push(sendOne());
  }
  await Promise.all(sent);
  for (const connection of idle) connection.close();
  return { ms, refused };
}

/**
 * @param {readonly Measured[]} measured
 * @param {number} diskMb
 * @param {typeof defaults} options
 */
function results(measured, diskMb, { projectMb, sourceMapMb }) {
  const [alone, ...floods] = measured;
  const rows = measured.map(({ name, posts, lists, refused, rssMb, flood }) => [
    name,
    figure(median(posts), 1),
    figure(percentile(posts, 99), 1),
    figure(median(lists), 1),
    figure(percentile(lists, 99), 1),
    figure(refused),
    figure(rssMb),
    Object.entries(flood)
      .map(([what, count]) => `${what}: ${count}`)
      .join(', '),
  ]);
  const worst = (/** @type {'posts' | 'lists'} */ of) =>
    Math.max(...floods.map((flood) => percentile(flood[of], 99) / percentile(alone[of], 99)));
  return {
    text: table(['flood', 'POST ms', 'p99', 'GET ms', 'p99', 'refused', 'RSS MB', 'responses of the flood'], rows),
    checks: [
      { name: 'p99 of POST /errors during a flood', value: worst('posts'), unit: '× alone', atMost: 3 },
      { name: 'p99 of GET /errors during a flood', value: worst('lists'), unit: '× alone', atMost: 3 },
      { name: 'refused requests', value: measured.reduce((sum, { refused }) => sum + refused, 0), unit: '', atMost: 0 },
      { name: 'memory', value: Math.max(...measured.map(({ rssMb }) => rssMb)), unit: 'MB', atMost: 256 },
      // A log is compacted when more than half of it is garbage.
      { name: 'disk', value: diskMb, unit: 'MB', atMost: 2 * projectMb + sourceMapMb + 64 },
    ],
    data: { diskMb, measured },
  };
}
