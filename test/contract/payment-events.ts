import { createHmac } from 'node:crypto';
import { expect } from 'vitest';
import type { ApiResponse, Json, RequestOptions } from './api-call.ts';
import type { TestContext } from './context.ts';
import { sandboxSecret } from './credentials.ts';

const plan = (id: string, price: number, error_quota: number): Json => {
  return { id, name: id.toUpperCase(), price, currency: 'EUR', error_quota, ai_quota: null };
};

/** Settings of a server with three plans. */
export const planSettings = {
  plan: 'free',
  plans: [plan('free', 0, 2), plan('pro', 1_900, 4), plan('large', 9_900, 6)],
};

/** Signs as the contract says: `t=<unix seconds>,v1=<hex HMAC-SHA256 of "t.body">`, `offSeconds` from now. */
export function signSandboxBody(body: string, offSeconds = 0, secret = sandboxSecret): string {
  const time = Math.floor(Date.now() / 1_000) + offSeconds;
  return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`;
}

/** Builds the webhook request that delivers a sandbox event. A string is sent unchanged. */
export function sandboxRequest(event: Json, sign = signSandboxBody): RequestOptions {
  const body = typeof event === 'string' ? event : JSON.stringify(event);
  return { token: null, body, headers: { 'content-type': 'application/json', 'x-signature': sign(body) } };
}

let eventCount = 0;

export function paymentEvent(type: 'succeeded' | 'failed', payment_id: unknown): Json {
  return { id: `evt_${process.pid}_${++eventCount}`, type: `payment.${type}`, payment_id };
}

export function deliverEvent(context: TestContext, event: Json, sign = signSandboxBody): Promise<ApiResponse> {
  return context.call('POST', 'billing/webhook/sandbox', sandboxRequest(event, sign));
}

/** Starts a checkout with the sandbox, and returns the id of the payment. */
export async function startCheckout(
  context: TestContext,
  planId: string,
  options: RequestOptions = {},
): Promise<number> {
  const body = { plan: planId, provider: 'sandbox' };
  return (await context.send(201, 'POST', 'billing/checkout', { ...options, body })).payment_id;
}

/** Starts a checkout and delivers its success, and returns the id of the payment. */
export async function payForPlan(context: TestContext, planId: string): Promise<number> {
  const id = await startCheckout(context, planId);
  expect((await deliverEvent(context, paymentEvent('succeeded', id))).status).toBe(200);
  return id;
}

/** Returns the status of a payment and the current plan of the team. */
export async function paymentAndPlan(context: TestContext, id: number): Promise<[status: string, plan: string]> {
  const { status } = await context.send(200, 'GET', `billing/payments/${id}`);
  return [status, (await context.send(200, 'GET', 'billing/usage')).plan];
}
