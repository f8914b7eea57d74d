import { SeededRandom } from '../../test/test-utils/seeded-random.mjs';
import { authorization } from '../servers/service.mjs';
import { mapsOf } from './corpus.mjs';
import { createSdkReport } from './sdk-report.mjs';

const connections = 8;

/**
 * The server's group and frames of a captured error.
 *
 * @typedef {object} Stored
 * @property {number} groupId
 * @property {{ file: string | null, line: number | null, function: string | null, in_app: boolean, context: { line: number, text: string }[], raw: { file: string | null } }[]} frames
 */

/**
 * Uploads the maps of one project if `withMaps` is set. Then sends its reports in mixed order, as if they came from
 * many pages at once, and reads the results from the groups.
 *
 * @param {import('../servers/service.mjs').Service} service
 * @param {import('./corpus.mjs').Corpus} corpus
 * @param {readonly import('./corpus.mjs').CapturedError[]} records
 * @param {{ withMaps: boolean, seed: number }} options
 * @returns {Promise<Map<string, Stored>>} by the id of the error
 */
export async function replay(service, corpus, records, { withMaps, seed }) {
  const [first] = records;
  if (!first) return new Map();
  const project = await service.createProject(`${first.app}, ${first.bundler}${withMaps ? ', with maps' : ''}`);
  if (withMaps) for (const map of mapsOf(corpus, first)) await uploadMap(service, project.id, map);
  const prints = new Map();
  await forEach(shuffled(records, seed), async (record) => {
    const response = await service.call('POST', '/errors', {
      ...createSdkReport(record),
      project_api_key: project.api_key,
    });
    prints.set(record.id, response);
  });
  const stored = await readBack(service, project.id);
  for (const { id } of records) {
    if (stored.get(id)?.groupId !== prints.get(id).error_group_id)
      throw new Error(`${id} is not in the group that the response named.`);
  }
  return stored;
}

/**
 * @param {import('../servers/service.mjs').Service} service
 * @param {number} projectId
 * @param {{ release: string, name: string, bytes: Buffer }} map
 */
async function uploadMap(service, projectId, { release, name, bytes }) {
  const form = new FormData();
  form.set('release', release);
  form.set('file', new Blob([new Uint8Array(bytes)]), name);
  const response = await fetch(new URL(`/api/v1/projects/${projectId}/source-maps`, service.url), {
    method: 'POST',
    headers: authorization,
    body: form,
  });
  if (!response.ok)
    throw new Error(
      `The upload of ${name} of ${release} was rejected with ${response.status}: ${await response.text()}`,
    );
}

/**
 * @param {import('../servers/service.mjs').Service} service
 * @param {number} projectId
 */
async function readBack(service, projectId) {
  /** @type {Map<string, Stored>} */
  const stored = new Map();
  for (const group of await allOf(service, `/errors?project_id=${projectId}`)) {
    const groupId = group.error_group_id;
    const reports = await allOf(service, `/errors/${groupId}/reports?`);
    if (reports.length !== group.count)
      throw new Error(`Group ${groupId} has ${group.count} reports, but ${reports.length} are stored.`);
    await forEach(reports, async ({ id }) => {
      const { metadata, frames } = await service.call('GET', `/errors/${groupId}/reports/${id}`);
      stored.set(metadata.captured, { groupId, frames });
    });
  }
  return stored;
}

/**
 * Returns all items of a list.
 *
 * @param {import('../servers/service.mjs').Service} service
 * @param {string} path
 */
async function allOf(service, path) {
  const items = [];
  for (let page = 1; ; page++) {
    const list = await service.call('GET', `${path}&page=${page}&size=100`);
    items.push(...list.items);
    if (page >= list.pages) return items;
  }
}

/**
 * @template Item
 * @param {readonly Item[]} items
 * @param {(item: Item) => Promise<void>} work
 */
export async function forEach(items, work) {
  const left = items.values();
  const worker = async () => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: connections }, worker));
}

/**
 * Returns the items in a random order that depends only on the seed.
 *
 * @template Item
 * @param {readonly Item[]} items
 * @param {number} seed
 */
export function shuffled(items, seed) {
  const all = [...items];
  const random = new SeededRandom(seed);
  for (let at = all.length - 1; at > 0; at--) {
    const other = random.below(at + 1);
    [all[at], all[other]] = [all[other], all[at]];
  }
  return all;
}
