import { openAsBlob, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { cpuSeconds, exactCpuMs, mainThreadMs } from '../measure/cpu.mjs';
import { residentMb, watchMemory } from '../measure/memory.mjs';
import { waitUntilIdle } from '../measure/wait-until-idle.mjs';
import { median } from '../measure/statistics.mjs';
import { progress } from '../output/progress.mjs';
import { authorization, startService } from '../servers/service.mjs';
import { somePositions } from './resolving.mjs';

/** The number of uploads between two measurements of memory. */
const lookedAtEvery = 10;

/**
 * @typedef {object} Uploading
 * @property {number} seconds until a large map is ready
 * @property {number} cpuSeconds
 * @property {number} delayMs the longest delay of the event loop during the upload
 * @property {number} maxMb the maximum of added memory
 * @property {number} reportMs CPU of the first report with frames of that map
 * @property {number} reportMainMs its part in the main thread
 * @property {number} againMs CPU of the same report, sent again when the server is idle
 * @property {number[]} residentMb the memory while many maps are uploaded
 * @property {number} growthMb the median of the second half of these, minus the median of the first half
 */

/**
 * Uploads the largest bundle's map, sends reports with its frames, then uploads many maps, all through the server's
 * API.
 *
 * @param {import('./bundles.mjs').Bundle[]} bundles
 * @param {string} folder
 * @param {{ frames: number, uploads: number }} options
 * @returns {Promise<Uploading>}
 */
export async function measureUploading(bundles, folder, { frames, uploads }) {
  const service = await startService(folder);
  const project = await service.createProject('Shop');
  const [small] = bundles;
  const large = bundles.at(-1);
  if (!small || !large) throw new Error('There are no bundles.');
  const positions = somePositions(large, frames);

  // Starts the worker, as in a server that has already indexed a map.
  await upload(service, project.id, small.map, 'first');
  await waitUntilIdle(service.pid);
  await delayMs(service);
  progress('upload of the largest map');
  const before = { mb: residentMb(service.pid), cpu: cpuSeconds(service.pid) };
  const memory = watchMemory(service.pid);
  const start = performance.now();
  await upload(service, project.id, large.map, '1.0');
  const seconds = (performance.now() - start) / 1_000;
  const uploaded = { delayMs: await delayMs(service), maxMb: memory.stop() - before.mb };
  const uploadCpu = cpuSeconds(service.pid) - before.cpu;
  await waitUntilIdle(service.pid);

  progress('reports from it');
  const first = await reportCost(service, project, positions, large);
  const again = await reportCost(service, project, positions, large);

  progress(`${uploads} uploads in a row`);
  const text = readFileSync(small.map, 'utf8');
  const resident = [];
  for (let count = 1; count <= uploads; count++) {
    // Each map is different, because an equal one would be stored once.
    const map = new Blob([text.replace('"names"', `"x_build":${count},"names"`)]);
    await uploadBlob(service, project.id, map, basename(small.map), `build-${count}`);
    if (count % lookedAtEvery > 0) continue;
    await waitUntilIdle(service.pid);
    resident.push(residentMb(service.pid));
  }
  await service.stop();
  const half = Math.ceil(resident.length / 2);
  return {
    seconds,
    cpuSeconds: uploadCpu,
    ...uploaded,
    reportMs: first.ms,
    reportMainMs: first.mainMs,
    againMs: again.ms,
    residentMb: resident,
    growthMb: median(resident.slice(half)) - median(resident.slice(0, half)),
  };
}

/**
 * @param {import('../servers/service.mjs').Service} service
 * @param {{ api_key: string }} project
 * @param {import('./resolvers.mjs').Position[]} positions
 * @param {import('./bundles.mjs').Bundle} bundle
 */
async function reportCost(service, project, positions, { script }) {
  const file = `https://shop.example/assets/${basename(script)}`;
  const frames = positions.map(({ line, column }) => `    at a (${file}:${line}:${column + 1})`);
  const body = {
    project_api_key: project.api_key,
    message: 'It broke',
    release: '1.0',
    stacktrace: ['Error: It broke', ...frames].join('\n'),
  };
  const before = { ms: exactCpuMs(service.pid), mainMs: mainThreadMs(service.pid) };
  await service.call('POST', '/errors', body);
  await waitUntilIdle(service.pid);
  return { ms: exactCpuMs(service.pid) - before.ms, mainMs: mainThreadMs(service.pid) - before.mainMs };
}

/**
 * @param {import('../servers/service.mjs').Service} service
 * @param {number} projectId
 * @param {string} path
 * @param {string} release
 */
async function upload(service, projectId, path, release) {
  await uploadBlob(service, projectId, await openAsBlob(path), basename(path), release);
}

/**
 * @param {import('../servers/service.mjs').Service} service
 * @param {number} projectId
 * @param {Blob} map
 * @param {string} name
 * @param {string} release
 */
async function uploadBlob({ url }, projectId, map, name, release) {
  const form = new FormData();
  form.set('release', release);
  form.set('file', map, name);
  const target = new URL(`/api/v1/projects/${projectId}/source-maps`, url);
  const response = await fetch(target, { method: 'POST', headers: authorization, body: form });
  if (response.status !== 201)
    throw new Error(`The upload of ${name} responded with ${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
}

/**
 * Returns the longest delay of the event loop since the previous call, from the server's metrics.
 *
 * @param {import('../servers/service.mjs').Service} service
 */
async function delayMs({ url }) {
  const text = await (await fetch(new URL('/metrics', url), { headers: authorization })).text();
  return 1_000 * Number(/^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(text)?.[1]);
}
