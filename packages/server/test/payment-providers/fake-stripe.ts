import type { RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { Stripe } from 'stripe';
import { serveOnLoopback } from '../../../../test/test-utils/serve-on-loopback.ts';

export const stripeKey = 'sk_test_51QkqW3rFq0Nn2yYb8T4xZ';
export const stripeWebhookSecret = 'whsec_9f2b7c41d8e05a63b1f4';
export const stripeSettings = { stripeKey, stripeWebhookSecret };

/** A request of the library to Stripe. */
interface StripeRequest {
  path: string;
  authorization: string;
  fields: Record<string, string>;
}

/** A local server with the part of Stripe's API that checkouts use. */
export interface FakeStripe {
  api: { host: string; port: number; protocol: 'http' };
  requests: StripeRequest[];
  /** Replaces the response to the next requests. Null restores the response with a session. */
  respondWith(listener: RequestListener | null): void;
  close(): Promise<void>;
}

export async function startFakeStripe(): Promise<FakeStripe> {
  const requests: StripeRequest[] = [];
  let handler: RequestListener | null = null;
  const { url, close } = await serveOnLoopback((request, response) => {
    void text(request).then((body) => {
      const fields = Object.fromEntries(new URLSearchParams(body));
      requests.push({ path: request.url ?? '', authorization: request.headers.authorization ?? '', fields });
      if (handler) return handler(request, response);
      const id = `cs_test_${requests.length}`;
      const session = { id, object: 'checkout.session', url: `https://checkout.stripe.com/c/pay/${id}` };
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(session));
    });
  });
  return {
    api: { host: '127.0.0.1', port: Number(new URL(url).port), protocol: 'http' },
    requests,
    respondWith: (listener) => void (handler = listener),
    close,
  };
}

let events = 0;

/** Returns an event about a checkout, in Stripe's format. */
export function sessionEvent(type: string, session: object, more: object = {}): object {
  return {
    id: `evt_stripe_${++events}`,
    object: 'event',
    api_version: '2026-09-30',
    created: Math.floor(Date.now() / 1_000),
    livemode: false,
    type: `checkout.session.${type}`,
    data: { object: { object: 'checkout.session', mode: 'payment', ...session } },
    ...more,
  };
}

/** Returns a request that Stripe's library has signed. `at` is in milliseconds. */
export function signedByStripe(
  event: unknown,
  at = Date.now(),
  secret = stripeWebhookSecret,
): { token: null; body: string; headers: Record<string, string> } {
  const payload = typeof event === 'string' ? event : JSON.stringify(event);
  const header = new Stripe(stripeKey).webhooks.generateTestHeaderString({
    payload,
    secret,
    timestamp: Math.floor(at / 1_000),
  });
  return {
    token: null,
    body: payload,
    headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': header },
  };
}
