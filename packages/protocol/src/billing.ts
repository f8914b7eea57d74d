import * as z from 'zod';
import { limits } from './limits.ts';
import { Id, Timestamp } from './primitives.ts';

/** The monthly quotas of a team and their price. */
export const Plan = z.object({
  /** Letters, digits, `_` and `-`. */
  id: z
    .string()
    .regex(/^[\w-]+$/)
    .max(limits.planIdChars),
  name: z.string().trim().min(1).max(limits.planNameChars),
  /** Per month, in the minor unit of the currency (cents). */
  price: z.int().min(0),
  /** An ISO 4217 code. */
  currency: z.string().regex(/^[A-Za-z]{3}$/),
  /** Reports per month; null means unlimited. */
  error_quota: z.int().min(0).nullable(),
  /** AI explanations per month; null means unlimited. */
  ai_quota: z.int().min(0).nullable(),
});
export type Plan = z.infer<typeof Plan>;

/** The usage of a team in a calendar month (UTC). */
export const Usage = z.object({
  /** Id of the plan. */
  plan: z.string(),
  period_start: Timestamp,
  period_end: Timestamp,
  errors: z.object({
    used: z.int(),
    /** Null means unlimited. */
    quota: z.int().nullable(),
    /** Reports rejected because the quota was used up, and the time of the first one. */
    refused: z.int(),
    refused_since: Timestamp.nullable(),
  }),
  ai: z.object({ used: z.int(), quota: z.int().nullable() }),
  /** The stored reports of the team. */
  storage: z.object({
    /**
     * Of the whole server. `low`: the storage will soon be full. `full`: reports are rejected until there is room
     * again.
     */
    state: z.enum(['ok', 'low', 'full']),
    /** Bytes that the reports of all projects of the team take in the storage. */
    used_bytes: z.int(),
    /**
     * Bytes that the stored reports of one project may take. At 95 % of it, the oldest ones are deleted. A report that
     * would exceed it is counted, but not stored.
     */
    project_limit_bytes: z.int(),
    /** The project whose reports take the most. Null if no report is stored. */
    largest_project: z.object({ project_id: Id, used_bytes: z.int() }).nullable(),
    /** Reports that were counted, but not stored, since the start of the server: their project stored too much. */
    not_stored: z.int(),
  }),
  /** The limits of one IPv4 address or IPv6 /64 network for `POST /errors`. Further reports are rejected with 503. */
  address_limits: z.object({ reports_per_minute: z.int(), bytes_per_minute: z.int() }),
});
export type Usage = z.infer<typeof Usage>;

/** The body of POST /billing/checkout. */
export const CheckoutInput = z.strictObject({
  /** Id of the plan to buy. */
  plan: z.string().max(limits.planIdChars),
  /** Defaults to the configured provider: Stripe if it is configured, else the sandbox. */
  provider: z.string().max(limits.providerChars).optional(),
});
export type CheckoutInput = z.infer<typeof CheckoutInput>;

/** The response of POST /billing/checkout. */
export const Checkout = z.object({
  payment_id: Id,
  /** The payment page. */
  checkout_url: z.string(),
});
export type Checkout = z.infer<typeof Checkout>;

/** A payment of a team for a plan. */
export const Payment = z.object({
  payment_id: Id,
  /** Id of the plan. */
  plan: z.string(),
  status: z.enum(['pending', 'paid', 'failed']),
  created_at: Timestamp,
  paid_at: Timestamp.nullable(),
  /** What the provider has returned to the customer, in the minor unit of the currency. Absent: nothing. */
  refund: z.object({ amount: z.int(), currency: z.string(), at: Timestamp }).optional(),
  /** The customer has disputed the payment at their bank. Absent: no dispute. */
  dispute: z.object({ status: z.enum(['open', 'won', 'lost']), at: Timestamp }).optional(),
});
export type Payment = z.infer<typeof Payment>;

/** The body of POST /billing/webhook/sandbox: a payment event of the sandbox. Unknown fields are ignored. */
export const SandboxEvent = z.object({
  id: z.string().min(1).max(limits.paymentEventIdChars),
  /** `payment.succeeded` or `payment.failed`. An event of another type is accepted and has no effect. */
  type: z.string(),
  /** A value that cannot be an id becomes null. */
  payment_id: Id.nullable().catch(null),
});
export type SandboxEvent = z.infer<typeof SandboxEvent>;

/** The response to a signed event. It is sent once the effects of the event are durable. */
export const Received = z.object({ received: z.literal(true) });
export type Received = z.infer<typeof Received>;
