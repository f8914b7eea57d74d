import type { Stripe } from 'stripe';
import * as z from 'zod';
import { ConfigError } from '../config.ts';
import { jsonText, parseJson } from '../validation/json.ts';
import { validate } from '../validation/validation.ts';
import type {
  OpenedCheckout,
  Order,
  PaymentEvent,
  PaymentOutcome,
  PaymentReversal,
  PaymentProvider,
  SentEvent,
} from './payment-provider.ts';
import { assertTimely, invalidSignature, toleranceSeconds } from './webhook-signature.ts';

export interface StripeSecrets {
  key: string;
  webhookSecret: string;
}

/** The address of Stripe's API, if it is not the default of the library. */
export type StripeApi = Pick<Stripe.StripeConfig, 'host' | 'port' | 'protocol'>;

/** The supported major version of the library. */
const supportedVersion = '23';

/**
 * Opens payments by Stripe. Its library is a large, optional peer dependency. Rejects with a ConfigError if the library
 * is not installed.
 */
export async function openStripe(secrets: StripeSecrets, api: StripeApi = {}): Promise<PaymentProvider> {
  const { Stripe: Client } = await importLibrary();
  const client = new Client(secrets.key, {
    ...api,
    // The response to the caller times out after 30 seconds, and a retry must fit in.
    timeout: 8_000,
    maxNetworkRetries: 1,
    telemetry: false,
  });
  const { signature } = client.webhooks;
  if (!signature) throw new Error("The library of Stripe can't verify signatures.");
  return {
    name: 'stripe',
    openCheckout: (order) => openSession(client, order),
    readEvent: (sent, now) => readEvent(signature, secrets.webhookSecret, sent, now),
  };
}

/** Imports the library on demand. Most servers take no payments, and need neither its load time nor its memory. */
async function importLibrary(): Promise<typeof import('stripe')> {
  try {
    return await import('stripe');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new ConfigError(
      `Payments by Stripe need the package stripe, which is not installed: npm install stripe@${supportedVersion}`,
      { cause: error },
    );
  }
}

async function openSession(client: Stripe, { paymentId, plan, baseUrl }: Order): Promise<OpenedCheckout> {
  const payment_id = String(paymentId);
  const { id, url } = await client.checkout.sessions.create({
    mode: 'payment',
    client_reference_id: payment_id,
    // Support requests contain the payment id, so it must be searchable in Stripe, too.
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
  if (!url) throw new Error('Stripe returned no URL for the checkout.');
  return { id, url };
}

const StripeEvent = z.object({
  id: z.string().min(1).max(255),
  type: z.string(),
  /** Seconds since 1970, up to the end of the year 9999. Stripe always sets it; tools that imitate it may not. */
  created: z.int().min(0).max(253_402_300_799).optional(),
  data: z.object({ object: z.unknown() }),
});

const maxTransferIdChars = 255;

const Session = z.object({
  id: z.string(),
  client_reference_id: z.string().nullish(),
  payment_status: z.string().optional(),
  payment_intent: z.string().max(maxTransferIdChars).nullish(),
});

const Charge = z.object({
  payment_intent: z.string().max(maxTransferIdChars),
  amount_refunded: z.int().min(0),
  currency: z.string().regex(/^[A-Za-z]{3}$/),
});

const Dispute = z.object({ payment_intent: z.string().max(maxTransferIdChars), status: z.string() });

type Signature = NonNullable<Stripe['webhooks']['signature']>;

function readEvent(signature: Signature, secret: string, { bytes, header }: SentEvent, now: number): PaymentEvent {
  const signed = header('stripe-signature') ?? '';
  if (!isSigned(signature, secret, bytes, signed, now)) throw invalidSignature();
  // The library rejects old signatures, but not those with a future time.
  const sentAt = Number(/^(?:.*,)?t=(\d{1,15})(?:,|$)/.exec(signed)?.[1] ?? Number.NaN);
  assertTimely(sentAt, now);
  const { id, type, created = sentAt, data } = validate(StripeEvent, parseJson(jsonText(bytes)));
  const times = { at: created * 1_000, ageMs: Math.max(0, sentAt - created) * 1_000 };
  return {
    id,
    type,
    outcome: outcomeOf(type, times, data.object),
    reversal: reversalOf(type, times.at, data.object),
  };
}

function isSigned(signature: Signature, secret: string, bytes: Buffer, header: string, now: number): boolean {
  try {
    return signature.verifyHeader(bytes, header, secret, toleranceSeconds, undefined, now);
  } catch {
    // The library throws for invalid signatures, and not only its own errors: a RangeError for one of another length.
    return false;
  }
}

function outcomeOf(type: string, times: Pick<PaymentOutcome, 'at' | 'ageMs'>, object: unknown): PaymentOutcome | null {
  const status = statusOf(type);
  if (!status) return null;
  const session = Session.safeParse(object);
  if (!session.success) return null;
  const { id, client_reference_id, payment_status, payment_intent } = session.data;
  // With some payment methods, the checkout completes before the payment does. A later event has the outcome.
  if (type === 'checkout.session.completed' && payment_status === 'unpaid') return null;
  const paymentId = /^[1-9]\d{0,15}$/.test(client_reference_id ?? '') ? Number(client_reference_id) : 0;
  return { paymentId, checkoutId: id, transferId: payment_intent ?? null, status, ...times };
}

function reversalOf(type: string, at: number, object: unknown): PaymentReversal | null {
  if (type === 'charge.refunded') {
    const { data } = Charge.safeParse(object);
    if (!data) return null;
    const { payment_intent, amount_refunded, currency } = data;
    const change = { kind: 'refund', amount: amount_refunded, currency: currency.toUpperCase() } as const;
    return { transferId: payment_intent, at, change };
  }
  if (type !== 'charge.dispute.created' && type !== 'charge.dispute.closed') return null;
  const { data } = Dispute.safeParse(object);
  if (!data) return null;
  const status = type === 'charge.dispute.created' ? 'open' : data.status === 'lost' ? 'lost' : 'won';
  return { transferId: data.payment_intent, at, change: { kind: 'dispute', status } };
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
