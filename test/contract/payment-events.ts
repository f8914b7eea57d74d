import { createHmac } from 'node:crypto';
import { expect } from 'vitest';
import type { Answer, Ask, Json } from './answer.ts';
import { sandboxSecret, type Scene } from './scene.ts';

const plan = (id: string, price: number, error_quota: number): Json => {
  return { id, name: id.toUpperCase(), price, currency: 'EUR', error_quota, ai_quota: null };
};

/** Settings of a server that sells plans. */
export const catalogue = { plan: 'free', plans: [plan('free', 0, 2), plan('pro', 1_900, 4), plan('large', 9_900, 6)] };

/** As the contract says: `t=<unix seconds>,v1=<hex HMAC-SHA256 of "t.body">`. `offSeconds`: from now. */
export function signature(body: string, offSeconds = 0, secret = sandboxSecret): string {
  const time = Math.floor(Date.now() / 1_000) + offSeconds;
  return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`;
}

/** An event of the sandbox as it is sent. */
export function sandboxAsk(event: Json, signed = signature): Ask {
  const body = typeof event === 'string' ? event : JSON.stringify(event);
  return { token: null, body, headers: { 'content-type': 'application/json', 'x-signature': signed(body) } };
}

let events = 0;

export function paymentEvent(type: 'succeeded' | 'failed', payment_id: unknown): Json {
  return { id: `evt_${process.pid}_${++events}`, type: `payment.${type}`, payment_id };
}

export function deliver(scene: Scene, event: Json, signed = signature): Promise<Answer> {
  return scene.call('POST', 'billing/webhook/sandbox', sandboxAsk(event, signed));
}

/** Begins to pay for a plan by the sandbox; the number of the payment. */
export async function begin(scene: Scene, planId: string, ask: Ask = {}): Promise<number> {
  const body = { plan: planId, provider: 'sandbox' };
  return (await scene.get(201, 'POST', 'billing/checkout', { ...ask, body })).payment_id;
}

/** Begins to pay, and pays. */
export async function pay(scene: Scene, planId: string): Promise<number> {
  const id = await begin(scene, planId);
  expect((await deliver(scene, paymentEvent('succeeded', id))).status).toBe(200);
  return id;
}

/** What has become of a payment, and the plan of the team. */
export async function stateOf(scene: Scene, id: number): Promise<[status: string, plan: string]> {
  const { status } = await scene.get(200, 'GET', `billing/payments/${id}`);
  return [status, (await scene.get(200, 'GET', 'billing/usage')).plan];
}
