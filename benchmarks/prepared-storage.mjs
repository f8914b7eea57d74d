import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reportRequests } from './load/report-requests.mjs';
import { sendReports } from './load/send-reports.mjs';
import { waitUntilIdle } from './measure/wait-until-idle.mjs';
import { temporaryFolder } from './measure/temporary-folder.mjs';
import { progress } from './output/progress.mjs';
import { startService, thisClone } from './servers/service.mjs';

const cache = join(tmpdir(), 'service-bench-storage');
const connections = 64;
/** One of this many groups is resolved, so that lists of both states have items. */
const resolvedOneOf = 50;
/** Older storages usually belong to earlier builds. They are removed when another one is created. */
const keptMs = 24 * 60 * 60 * 1_000;

/**
 * Returns a writable copy of a storage with a number of groups, one report each. The original is created through the
 * API, once for each build of the server, and kept in the temp folder.
 *
 * @param {number} groups
 * @param {string} [clone] the root of the clone whose server creates the storage
 * @returns {Promise<{ folder: string, projectId: number, apiKey: string }>}
 */
export async function preparedStorage(groups, clone = thisClone) {
  const original = join(cache, `${groups}-groups-${buildHash(clone)}`);
  if (!existsSync(original)) await make(original, groups, clone);
  const folder = join(temporaryFolder(), 'storage');
  cpSync(join(original, 'storage'), folder, { recursive: true });
  return { folder, ...JSON.parse(readFileSync(join(original, 'project.json'), 'utf8')) };
}

/**
 * @param {string} original
 * @param {number} groups
 * @param {string} clone
 */
async function make(original, groups, clone) {
  removeOldStorages();
  const unfinished = `${original}-unfinished`;
  mkdirSync(unfinished, { recursive: true });
  const service = await startService(join(unfinished, 'storage'), { clone });
  const { id: projectId, api_key: apiKey } = await service.createProject('prepared');
  const requests = reportRequests({ url: service.reportsUrl, apiKey, groups });
  await sendReports(service.reportsUrl, requests, {
    count: groups,
    connections,
    onProgress: (sent) => progress(`preparing a storage of ${groups} groups: ${sent}`),
  });
  await resolveSome(service, projectId);
  const counted = await service.call('GET', `/errors?project_id=${projectId}&size=1`);
  if (counted.total !== groups) throw new Error(`Prepared ${groups} groups; the server has ${counted.total}.`);
  await waitUntilIdle(service.pid);
  await service.stop();
  writeFileSync(join(unfinished, 'project.json'), JSON.stringify({ projectId, apiKey }));
  renameSync(unfinished, original);
}

/**
 * @param {import('./servers/service.mjs').Service} service
 * @param {number} projectId
 */
async function resolveSome(service, projectId) {
  const { items, total } = await service.call(
    'GET',
    `/errors?project_id=${projectId}&sort=first_seen&order=asc&size=1`,
  );
  const first = items[0].error_group_id;
  for (let at = 0; at < total; at += resolvedOneOf) {
    await service.call('PATCH', `/errors/${first + at}/status`, { status: 'resolved' });
  }
}

function removeOldStorages() {
  if (!existsSync(cache)) return;
  for (const name of readdirSync(cache)) {
    const path = join(cache, name);
    if (Date.now() - statSync(path).mtimeMs > keptMs) rmSync(path, { recursive: true, force: true });
  }
}

/** @param {string} clone */
function buildHash(clone) {
  const built = join(clone, 'packages/server/dist');
  const hash = createHash('sha256');
  for (const name of readdirSync(built).toSorted()) hash.update(readFileSync(join(built, name)));
  return hash.digest('hex').slice(0, 12);
}
