import { MockService } from '@service/mocks';
import { afterAll, expect, test } from 'vitest';

const adminToken = 'token-of-an-administrator';
const service = new MockService({ settings: { adminToken } });

afterAll(() => service.close());

async function report(): Promise<number> {
  const body = JSON.stringify({ project_api_key: service.apiKey, message: 'Sold out' });
  const request = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body };
  return (await service.fetch(new Request(`${service.endpoint}/api/v1/errors`, request))).status;
}

test('tests that end at the same time reset the service together', async () => {
  expect(await report()).toBe(200);
  await Promise.all([service.reset(), service.reset(), service.reset()]);
  expect(await service.groups()).toEqual([]);
  expect(await report()).toBe(200);
});

test('a reset brings back a project that the test has deleted', async () => {
  const headers = { Authorization: `Bearer ${adminToken}` };
  const projects = `${service.endpoint}/api/v1/projects`;
  const [project] = await (await service.fetch(new Request(projects, { headers }))).json();
  await service.fetch(new Request(`${projects}/${project.id}`, { method: 'DELETE', headers }));
  expect(await report()).toBe(401);
  await service.reset();
  expect(await report()).toBe(200);
});
