import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import type { ConfigInput } from '../../src/config.ts';
import { startExplainer } from '../../src/explain/explainer.ts';
import { openService } from '../test-utils/open-service.ts';

/** Starts the explainer with a pending explanation during which `begun` processes have crashed. */
async function startAfterCrashes(begun: number, config: ConfigInput = {}) {
  const time = { now: Date.now() };
  const { services, call, close } = await openService(config, { now: () => time.now });
  const { body: project } = await call<{ id: number; api_key: string }>('POST', 'projects', { body: { name: 'Shop' } });
  const { body } = await call('POST', 'errors', { body: { project_api_key: project.api_key, message: 'It broke' } });
  const id = body.error_group_id as number;
  await call('POST', `errors/${id}/ai-summary`);
  const { store } = services;
  const record = () => store.model.tables.summaries.get(id);
  const mark = () =>
    store.commit((transaction) => {
      const known = transaction.get('summaries', id);
      if (known) transaction.put('summaries', { ...known, begun, begun_at: time.now });
    });
  await mark();
  const explainer = startExplainer(services);
  return {
    record,
    async pass(ms: number) {
      time.now += ms;
      // A write makes the job runner look at the clock.
      await call('POST', 'projects', { body: { name: 'Another' } });
    },
    async end() {
      await explainer.stop();
      await close();
    },
  };
}

test('an explanation that a graceful stop interrupts does not count as started', async () => {
  const provider = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(provider, 'listening');
  const { port } = provider.address() as AddressInfo;
  const { record, end } = await startAfterCrashes(0, { aiBaseUrl: `http://127.0.0.1:${port}/v1`, aiModel: 'slow' });
  const asked = once(provider, 'request');
  await asked;
  expect(record()).toMatchObject({ status: 'pending', begun: 1 });
  await end();
  expect(record()).toMatchObject({ status: 'pending', begun: 0 });
  provider.closeAllConnections();
  provider.close();
});

test('an explanation restarts immediately after one crash', async () => {
  const { record, end } = await startAfterCrashes(1);
  await expect.poll(() => record()?.status).toBe('ready');
  await end();
});

test.each([
  [2, 30_000],
  [3, 120_000],
])('after %i crashes, an explanation restarts after %i ms', async (begun, delay) => {
  const { record, pass, end } = await startAfterCrashes(begun);
  await pass(delay - 1);
  expect(record()).toMatchObject({ status: 'pending', begun });
  await pass(1);
  await expect.poll(() => record()?.status).toBe('ready');
  await end();
});
