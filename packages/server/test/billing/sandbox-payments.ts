import { createHmac } from 'node:crypto';
import type { Checkout, Payment, Plan, Usage } from '@service/protocol';
import { expect } from 'vitest';
import type { TestResponse, Body, CallOptions, TestService } from '../test-utils/describe-service.ts';

export const sandboxSecret = 'a secret of the sandbox';

const free: Plan = { id: 'free', name: 'Free', price: 0, currency: 'EUR', error_quota: 3, ai_quota: 5 };
const pro: Plan = { ...free, id: 'pro', name: 'Pro', price: 1_900, error_quota: 5 };
const large: Plan = { ...free, id: 'large', name: 'Large', price: 9_900, error_quota: 7, ai_quota: null };
export const hosted = { plan: 'free', plans: [free, pro, large], sandboxSecret };

type Call = TestService['call'];

/** Returns the signature header of a body: a time and the HMAC-SHA256 of `TIME.BODY`. `at` is in milliseconds. */
export function signature(body: string | Uint8Array, at = Date.now(), secret = sandboxSecret): string {
  const time = Math.floor(at / 1_000);
  const hmac = createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex');
  return `t=${time},v1=${hmac}`;
}

/** Returns a signed request. Bytes and text are sent unchanged. */
export function signed(event: unknown, at?: number, secret?: string): CallOptions {
  const body = typeof event === 'string' || event instanceof Uint8Array ? event : JSON.stringify(event);
  return {
    token: null,
    body,
    headers: { 'content-type': 'application/json', 'x-signature': signature(body, at, secret) },
  };
}

let events = 0;

/** Returns a payment event with a new id. */
export function paymentEvent(type: 'succeeded' | 'failed', payment_id: unknown, more: object = {}): object {
  return { id: `evt_${++events}`, type: `payment.${type}`, payment_id, ...more };
}

export function send(call: Call, event: unknown, at?: number): Promise<TestResponse> {
  return call('POST', 'billing/webhook/sandbox', signed(event, at));
}

/** Starts a payment. Returns its id. */
export async function checkOut(call: Call, plan: string, options: CallOptions = {}): Promise<number> {
  const { status, body } = await call<Checkout & Body>('POST', 'billing/checkout', { ...options, body: { plan } });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.payment_id;
}

export async function payment(call: Call, id: number): Promise<Payment> {
  return (await call<Payment>('GET', `billing/payments/${id}`)).body;
}

export async function usage(call: Call): Promise<Usage> {
  return (await call<Usage>('GET', 'billing/usage')).body;
}

/** Returns the id of the team's plan. */
export async function planOf(call: Call): Promise<string> {
  return (await usage(call)).plan;
}
