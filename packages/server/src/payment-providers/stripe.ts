import type { Stripe } from 'stripe';
import * as z from 'zod';
import { ConfigError } from '../config.ts';
import { jsonText, parseJson } from '../validation/json.ts';
import { validate } from '../validation/validation.ts';
import {
  assertTimely,
  invalidSignature,
  type OpenedCheckout,
  type Order,
  type PaymentEvent,
  type PaymentOutcome,
  type PaymentProvider,
  type SentEvent,
  toleranceSeconds,
} from './payment-provider.ts';

export interface StripeSecrets {
  key: string;
  webhookSecret: string;
}

/** Where the API of Stripe is, if not where the library knows it to be. */
export type StripeApi = Pick<Stripe.StripeConfig, 'host' | 'port' | 'protocol'>;

/** The version of the library that this was written for. */
const wantedVersion = '23';

/** Payments by Stripe. Its library is large, so it is an optional peer: throws a ConfigError where it is missing. */
export async function openStripe(secrets: StripeSecrets, api: StripeApi = {}): Promise<PaymentProvider> {
  const { Stripe: Client } = await importLibrary();
  const client = new Client(secrets.key, {
    ...api,
    // A caller waits for it, for 30 seconds at most.
    timeout: 8_000,
    maxNetworkRetries: 1,
    telemetry: false,
  });
  const { signature } = client.webhooks;
  if (!signature) throw new Error('The library of Stripe can check no signatures.');
  return {
    name: 'stripe',
    openCheckout: (order) => openSession(client, order),
    readEvent: (sent, now) => readEvent(signature, secrets.webhookSecret, sent, now),
  };
}

/** Most servers take no payments: they neither wait for it nor keep it in memory. */
async function importLibrary(): Promise<typeof import('stripe')> {
  try {
    return await import('stripe');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new ConfigError(
      `Payments by Stripe need the package stripe, which is not installed: npm install stripe@${wantedVersion}`,
      { cause: error },
    );
  }
}

async function openSession(client: Stripe, { paymentId, plan, baseUrl }: Order): Promise<OpenedCheckout> {
  const payment_id = String(paymentId);
  const { id, url } = await client.checkout.sessions.create({
    mode: 'payment',
    client_reference_id: payment_id,
    // Customers who ask for help name the number of the payment: it shall be found with Stripe, too.
    metadata: { payment_id },
    payment_intent_data: { metadata: { payment_id } },
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: plan.currency.toLowerCase(),
          unit_amount: plan.price,
          product_data: { name: plan.name },
        },
      },
    ],
    success_url: `${baseUrl}/#payment=${payment_id}`,
    cancel_url: `${baseUrl}/#cancelled=${payment_id}`,
  });
  if (!url) throw new Error('Stripe gave no URL for the checkout.');
  return { id, url };
}

const StripeEvent = z.object({
  id: z.string().min(1).max(255),
  type: z.string(),
  /** Seconds; what is more is no date that can be written. */
  created: z.int().min(0).max(253_402_300_799),
  data: z.object({ object: z.unknown() }),
});

const Session = z.object({
  id: z.string(),
  client_reference_id: z.string().nullish(),
  payment_status: z.string().optional(),
});

type Signature = NonNullable<Stripe['webhooks']['signature']>;

function readEvent(signature: Signature, secret: string, { bytes, header }: SentEvent, now: number): PaymentEvent {
  const signed = header('stripe-signature') ?? '';
  if (!isSigned(signature, secret, bytes, signed, now)) throw invalidSignature();
  // The library refuses what is old, but not what is ahead.
  const sentAt = Number(/^(?:.*,)?t=(\d{1,15})(?:,|$)/.exec(signed)?.[1] ?? Number.NaN);
  assertTimely(sentAt, now);
  const { id, type, created, data } = validate(StripeEvent, parseJson(jsonText(bytes)));
  const times = { at: created * 1_000, ageMs: Math.max(0, sentAt - created) * 1_000 };
  return { id, type, outcome: outcomeOf(type, times, data.object) };
}

function isSigned(signature: Signature, secret: string, bytes: Buffer, header: string, now: number): boolean {
  try {
    return signature.verifyHeader(bytes, header, secret, toleranceSeconds, undefined, now);
  } catch {
    // It rejects by throwing, and not only its own errors: a signature of another length is a RangeError.
    return false;
  }
}

function outcomeOf(type: string, times: Pick<PaymentOutcome, 'at' | 'ageMs'>, object: unknown): PaymentOutcome | null {
  const status = statusOf(type);
  if (!status) return null;
  const session = Session.safeParse(object);
  if (!session.success) return null;
  const { id, client_reference_id, payment_status } = session.data;
  // With some ways to pay, the checkout is over before the money has come: another event will tell.
  if (type === 'checkout.session.completed' && payment_status === 'unpaid') return null;
  const paymentId = /^[1-9]\d{0,15}$/.test(client_reference_id ?? '') ? Number(client_reference_id) : 0;
  return { paymentId, checkoutId: id, status, ...times };
}

function statusOf(type: string): PaymentOutcome['status'] | null {
  switch (type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return 'paid';
    case 'checkout.session.async_payment_failed':
    case 'checkout.session.expired':
      return 'failed';
    default:
      return null;
  }
}
