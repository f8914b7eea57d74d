import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { completion, startFakeProvider, type FakeProvider } from '../contract/fake-provider.ts';
import { startServer, type ServerProcess } from '../test-utils/server-process.ts';
import { isFull, isThorough } from '../test-utils/depth.ts';

const rounds = isFull ? 60 : isThorough ? 4 : 2;

test(
  `kill -9 while explanations are pending, ${rounds} rounds: each yields one summary and uses one unit`,
  { timeout: 300_000 + rounds * 20_000 },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'service-kill-'));
    const provider = await startFakeProvider();
    let server: ServerProcess | null = null;
    const start = () =>
      startServer(`file:${folder}`, [], { SERVICE_AI_BASE_URL: provider.baseUrl, SERVICE_AI_QUOTA: String(rounds) });
    try {
      server = await start();
      const { body: project } = await server.call('POST', 'projects', { name: 'Shop' });
      for (let round = 0; round < rounds; round++) {
        const letters = 'abcdefghijklmnopqrstuvwxyz'.slice(round % 26).repeat(1 + Math.floor(round / 26));
        const report = { project_api_key: project.api_key, message: `Word ${letters} is wrong` };
        const { body: group } = await server.call('POST', 'errors', report);
        const path = `errors/${String(group.error_group_id)}/ai-summary`;

        provider.requests.length = 0;
        const isSlow = round % 2 === 0;
        provider.delayMs = 15;
        provider.respond = (attempt) => (isSlow && attempt === 1 ? 'never' : completion(`Answer ${attempt}`));
        expect((await server.call('POST', path)).status).toBe(202);
        // While the provider computes; or at a time between the request and the stored explanation.
        await (isSlow ? untilAsked(provider) : setTimeout(Math.random() * 60));
        await server.kill();
        // The last request of the killed server may not be read yet.
        await provider.waitUntilLeft();
        const askedBefore = provider.requests.length;

        server = await start();
        const read = async () => (await server?.call('GET', path))?.body ?? {};
        await expect.poll(async () => (await read()).status, { timeout: 60_000, interval: 20 }).toBe('ready');
        const ready = await read();
        // A stored explanation is not requested again, and a repeated request to the provider uses no further unit.
        expect(provider.requests.length).toBeLessThanOrEqual(askedBefore + 1);
        expect(ready.summary).toBe(`Answer ${provider.requests.length}`);
        const { body: usage } = await server.call('GET', 'billing/usage');
        expect(usage.ai).toEqual({ used: round + 1, quota: rounds });
        expect(await read()).toEqual(ready);
      }
      const another = { project_api_key: project.api_key, message: 'One more' };
      const { body: group } = await server.call('POST', 'errors', another);
      const { status } = await server.call('POST', `errors/${String(group.error_group_id)}/ai-summary`);
      expect(status).toBe(429);
    } finally {
      await server?.kill();
      await provider.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
);

async function untilAsked({ requests }: FakeProvider): Promise<void> {
  while (requests.length === 0) await setTimeout(5);
}
