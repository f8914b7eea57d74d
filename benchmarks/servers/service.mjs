import { join, resolve } from 'node:path';
import { start } from './start.mjs';

/** The root of this clone of the repository. */
export const thisClone = join(import.meta.dirname, '../..');
const adminToken = 'benchmark-admin-token-0123456789';

/**
 * Our server, started by its own command, with a separate data folder.
 *
 * @typedef {Awaited<ReturnType<typeof startService>>} Service
 */

/**
 * @param {string} folder
 * @param {{ wrapper?: readonly string[], env?: Record<string, string>, clone?: string, storage?: string }} [options]
 *   `storage`: another storage than the folder; `clone`: the root of the built clone whose server starts; by default this one
 */
export async function startService(
  folder,
  { wrapper = [], env = {}, clone = thisClone, storage = `file:${folder}` } = {},
) {
  const server = await start(resolve(clone, 'packages/server/bin/service-server.js'), {
    args: ['--port', '0', '--storage', storage],
    env: { SERVICE_ADMIN_TOKEN: adminToken, SERVICE_ADMIN_PASSWORD: 'correct horse battery', ...env },
    wrapper,
  });

  /**
   * @param {string} method
   * @param {string} path below /api/v1
   * @param {unknown} [body]
   */
  async function call(method, path, body) {
    const response = await fetch(new URL(`/api/v1${path}`, server.url), {
      method,
      headers: { ...authorization, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path} responded with ${response.status}: ${await response.text()}`);
    return /** @type {any} */ (await response.json());
  }

  return {
    ...server,
    reportsUrl: new URL('/api/v1/errors', server.url),
    call,
    /**
     * Creates a project, and reads its details, because only they contain the DSN.
     *
     * @param {string} name
     * @returns {Promise<{ id: number, api_key: string, dsn: string }>}
     */
    async createProject(name) {
      const { id } = await call('POST', '/projects', { name });
      return await call('GET', `/projects/${id}`);
    },
    /**
     * Returns the number of groups of a project, and the sum of their counts.
     *
     * @param {number} projectId
     */
    async count(projectId) {
      let reports = 0;
      for (let page = 1; ; page++) {
        const list = await call('GET', `/errors?project_id=${projectId}&sort=first_seen&size=100&page=${page}`);
        for (const group of list.items) reports += group.count;
        if (page >= list.pages) return { groups: list.total, reports };
      }
    },
  };
}

export const authorization = { Authorization: `Bearer ${adminToken}` };
