import { expect, test } from 'vitest';
import { createApp } from '../../src/app.ts';
import { parseConfig, type ConfigInput } from '../../src/config.ts';
import { createProject, deleteProject } from '../../src/projects/projects.ts';
import { openServices } from '../../src/services.ts';
import { machineTiming } from '../../src/time/timing.ts';
import { adminToken } from '../test-utils/describe-service.ts';
import { operatorOf, uploadMap } from '../test-utils/upload-map.ts';

const dayMs = 86_400_000;

/** Starts a service whose clock the test advances while the service runs. */
async function start(config: ConfigInput = {}) {
  const startedAt = Date.UTC(2026, 0, 1);
  const clock = { now: startedAt };
  const timing = { ...machineTiming, now: () => clock.now - startedAt };
  const services = await openServices(
    parseConfig({ storage: 'memory:', adminToken, adminPassword: 'a password', logLevel: 'silent', ...config }),
    { now: () => clock.now, timing },
  );
  const app = createApp(services);
  const call = async (method: string, path: string, body?: object) => {
    const response = await app.request(`http://127.0.0.1:4400/api/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: JSON.parse((await response.text()) || '{}') as Record<string, never> };
  };
  const { body: project } = await call('POST', 'projects', { name: 'Shop' });
  const report = async (): Promise<number> =>
    (await call('POST', 'errors', { project_api_key: project.api_key, message: 'It broke' })).body.error_group_id ?? 0;
  return { services, clock, call, report };
}

test('a report beyond the retention period is not returned, but its group and count are', async () => {
  const { services, clock, call, report } = await start({ retentionDays: 7 });
  const group = await report();
  clock.now += 4 * dayMs;
  await report();
  const listed = await call('GET', `errors/${group}/reports`);
  expect(listed.body).toMatchObject({ total: 2 });
  const [newer, older] = (listed.body.items ?? []) as unknown as { id: number }[];
  expect((await call('GET', `errors/${group}/reports/${older?.id}`)).status).toBe(200);

  clock.now += 4 * dayMs;
  expect((await call('GET', `errors/${group}/reports`)).body).toMatchObject({ total: 1, items: [{ id: newer?.id }] });
  expect((await call('GET', `errors/${group}/reports/${older?.id}`)).status).toBe(404);
  expect((await call('GET', `errors/${group}/reports/${newer?.id}`)).status).toBe(200);

  clock.now += 4 * dayMs;
  expect((await call('GET', `errors/${group}`)).body).toMatchObject({ count: 2, latest_report: null });
  expect((await call('GET', `errors/${group}/reports`)).body).toMatchObject({ total: 0, items: [] });
  await services.store.compact();
  expect(services.store.model.storedBytes).toBe(0);
  expect((await call('GET', `errors/${group}`)).body).toMatchObject({ count: 2 });
  await services.close();
});

test('deleting a project deletes its source maps, also one that is still uploading', async () => {
  const { services } = await start();
  const owner = operatorOf({ team_id: 1 });
  const { id } = await createProject(services, owner, { name: 'Short-lived' });
  const project = services.store.model.tables.projects.get(id);
  if (!project) throw new Error('There is no project.');
  const file = 'app.js';
  const map = { version: 3, file, sources: ['a.ts'], sourcesContent: [''], names: [], mappings: 'AAAA' };
  const upload = () => uploadMap(services, project, map, { file, release: '1' });
  await upload();
  expect(await services.store.blobs.names()).toHaveLength(1);
  await deleteProject(services, owner, project);
  expect(await services.store.blobs.names()).toEqual([]);
  await expect(upload()).rejects.toMatchObject({ code: 'project_not_found' });
  expect(await services.store.blobs.names()).toEqual([]);
  await services.close();
});
