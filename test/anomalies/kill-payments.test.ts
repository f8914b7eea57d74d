import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { sandboxSecret } from '../contract/credentials.ts';
import { sandboxRequest } from '../contract/payment-events.ts';
import { startServer, type ServerProcess } from '../test-utils/server-process.ts';
import { isFull, isThorough } from '../test-utils/depth.ts';

const rounds = isFull ? 100 : isThorough ? 8 : 2;
const plan = (id: string) => ({ id, name: id, price: 900, currency: 'EUR', error_quota: null, ai_quota: null });
/** Used in turn, so that a payment never buys the current plan. */
const planIds = ['one', 'two', 'three'];
const settings = {
  SERVICE_SANDBOX_SECRET: sandboxSecret,
  SERVICE_PLAN: 'one',
  SERVICE_PLANS: JSON.stringify(planIds.map(plan)),
};

test(
  `kill -9 while payment events arrive, ${rounds} rounds: a payment and its plan change together`,
  { timeout: 300_000 + rounds * 10_000 },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'service-kill-'));
    let server: ServerProcess | null = null;
    let had = 'one';
    const ends = { pending: 0, paid: 0, acknowledged: 0 };
    try {
      server = await startServer(`file:${folder}`, [], settings);
      for (let round = 0; round < rounds; round++) {
        const wanted = planIds[(planIds.indexOf(had) + 1) % planIds.length] ?? '';
        const { body } = await server.call('POST', 'billing/checkout', { plan: wanted });
        const id = Number(body.payment_id);
        const event = { id: `evt_${id}`, type: 'payment.succeeded', payment_id: id };
        const responses = Array.from({ length: 5 }, () => deliver(server?.url ?? '', event));
        // At a time between the arrival of the event and the response.
        await setTimeout(Math.random() * 12);
        await server.kill();
        const wasAcknowledged = (await Promise.all(responses)).includes(200);

        server = await startServer(`file:${folder}`, [], settings);
        const state = await stateOf(server, id);
        expect([`paid ${wanted}`, ...(wasAcknowledged ? [] : [`pending ${had}`])]).toContain(state);
        ends[wasAcknowledged ? 'acknowledged' : state.startsWith('paid') ? 'paid' : 'pending']++;
        // The provider retries until it gets a response.
        expect(await deliver(server.url, event)).toBe(200);
        expect(await stateOf(server, id)).toBe(`paid ${wanted}`);
        had = wanted;
      }
      if (isFull) console.info(ends);
    } finally {
      await server?.kill();
      await rm(folder, { recursive: true, force: true });
    }
  },
);

/** Returns the status of the response, or null without one. */
async function deliver(url: string, event: object): Promise<number | null> {
  const { body, headers = {} } = sandboxRequest(event);
  const sent = { method: 'POST', headers, body: String(body) };
  return fetch(`${url}/api/v1/billing/webhook/sandbox`, sent).then(
    ({ status }) => status,
    () => null,
  );
}

async function stateOf(server: ServerProcess, id: number): Promise<string> {
  const { body: payment } = await server.call('GET', `billing/payments/${id}`);
  const { body: usage } = await server.call('GET', 'billing/usage');
  return `${String(payment.status)} ${String(usage.plan)}`;
}
