import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { forEach, shuffled } from './replay.mjs';

/**
 * An error that was captured in Python, with its bug.
 *
 * @typedef {object} CapturedException
 * @property {string} id
 * @property {string} bug_id
 * @property {string} app
 * @property {string} engine an interpreter
 * @property {string} release
 * @property {string} message
 * @property {string} text the traceback as Python prints it
 * @property {Record<string, unknown>} report the report of our Python SDK
 */

/**
 * The fields that a client sends: `text` sends the message with the printed traceback, `exceptions` the report of our
 * SDK with its structured exceptions.
 *
 * @type {Record<string, (captured: CapturedException) => Record<string, unknown>>}
 */
export const clients = {
  text: ({ message, text }) => ({ message: message || undefined, stacktrace: text }),
  exceptions: ({ report }) => report,
};

/**
 * Returns the captured exceptions of each app of a corpus, or an empty map if it has none.
 *
 * @param {string} folder
 * @returns {Map<string, CapturedException[]>}
 */
export function openPythonCorpus(folder) {
  const captured = join(folder, 'python', 'captured');
  if (!existsSync(captured)) return new Map();
  const files = readdirSync(captured).filter((name) => name.endsWith('.jsonl.gz'));
  return new Map(
    files.toSorted().map((name) => {
      const lines = gunzipSync(readFileSync(join(captured, name)))
        .toString()
        .trim()
        .split('\n');
      return [basename(name, '.jsonl.gz'), lines.map((line) => JSON.parse(line))];
    }),
  );
}

/**
 * Sends the errors of an app in mixed order, as if all its releases ran at once, and returns the group of each.
 *
 * @param {import('../servers/service.mjs').Service} service
 * @param {readonly CapturedException[]} records
 * @param {{ client: string, seed: number }} options
 * @returns {Promise<Record<string, string>>} groups by the id of an error
 */
export async function replayPython(service, records, { client, seed }) {
  const toReport = clients[client];
  const project = await service.createProject(`${records[0]?.app}, ${client}`);
  /** @type {Record<string, string>} */
  const groups = {};
  await forEach(shuffled(records, seed), async (record) => {
    const report = { ...toReport?.(record), release: record.release, project_api_key: project.api_key };
    groups[record.id] = String((await service.call('POST', '/errors', report)).error_group_id);
  });
  return groups;
}
