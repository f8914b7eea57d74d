import type { Project } from '@service/protocol';
import { expect, test } from 'vitest';
import { createApp } from '../../src/app.ts';
import { parseConfig } from '../../src/config.ts';
import { openServices } from '../../src/services.ts';
import { adminToken } from '../test-utils/describe-service.ts';

test('the quota of a month stays used up if the clock is set back into that month', async () => {
  let now = Date.UTC(2026, 10, 30, 23);
  const config = parseConfig({ storage: 'memory:', adminToken, errorQuota: 2, logLevel: 'silent' });
  const services = await openServices(config, { now: () => now });
  const app = createApp(services);
  const post = async (path: string, body: object): Promise<Response> =>
    app.fetch(
      new Request(`http://127.0.0.1/api/v1/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    );
  const { api_key } = (await (await post('projects', { name: 'Shop' })).json()) as Project;
  const report = async (): Promise<number> =>
    (await post('errors', { project_api_key: api_key, message: 'It broke' })).status;

  expect([await report(), await report(), await report()]).toEqual([200, 200, 429]);
  now += 2 * 3_600_000;
  expect([await report(), await report(), await report()]).toEqual([200, 200, 429]);
  now -= 2 * 3_600_000;
  expect(await report()).toBe(429);
  await services.close();
});
