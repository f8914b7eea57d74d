import { basename } from 'node:path';

/**
 * @typedef {{ id: number, name: string, api_key: string }} Project
 */

/**
 * Creates the demo's project if it does not exist, and uploads the current source map of the shop.
 * Resolves with a function that looks the project up, or creates it again, because its key may be rotated later.
 * @param {import('./owner-api.mjs').OwnerApi} api
 * @param {import('./shop.mjs').Shop} shop
 * @returns {Promise<() => Promise<Project>>}
 */
export async function openDemoProject(api, shop) {
  const existing = await findProject(api);
  if (existing) await uploadMap(api, shop, existing);
  else await makeProject(api, shop);
  return async () => (await findProject(api)) ?? makeProject(api, shop);
}

/**
 * Resolves with the project `Demo`, or else with the oldest one, because the project may have been renamed.
 * @param {import('./owner-api.mjs').OwnerApi} api
 * @returns {Promise<Project | undefined>}
 */
async function findProject(api) {
  /** @type {Project[]} */
  const projects = await api('GET', '/projects');
  return projects.find(({ name }) => name === 'Demo') ?? projects[0];
}

/**
 * @param {import('./owner-api.mjs').OwnerApi} api
 * @param {import('./shop.mjs').Shop} shop
 * @returns {Promise<Project>}
 */
async function makeProject(api, shop) {
  const project = await api('POST', '/projects', { name: 'Demo' });
  await uploadMap(api, shop, project);
  return project;
}

/**
 * Uploads the map, which replaces an earlier upload of the same map.
 * @param {import('./owner-api.mjs').OwnerApi} api
 * @param {import('./shop.mjs').Shop} shop
 * @param {Project} project
 */
async function uploadMap(api, shop, project) {
  const form = new FormData();
  form.set('release', shop.release);
  form.set('url', `~${shop.scriptPath}`);
  form.set('file', new Blob([shop.scriptMap]), `${basename(shop.scriptPath)}.map`);
  await api('POST', `/projects/${project.id}/source-maps`, form);
}
