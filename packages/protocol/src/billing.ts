import * as z from 'zod';
import { limits } from './limits.ts';
import { Id, Timestamp } from './primitives.ts';

/** What a team may use a month, and what that costs. */
export const Plan = z.object({
  /** Of letters, digits, `_` and `-`. */
  id: z
    .string()
    .regex(/^[\w-]+$/)
    .max(limits.planIdChars),
  name: z.string().trim().min(1).max(limits.planNameChars),
  /** A month, in minor units of the currency: cents. */
  price: z.int().min(0),
  /** As in ISO 4217. */
  currency: z.string().regex(/^[A-Za-z]{3}$/),
  /** Reports a month; null: any number. */
  error_quota: z.int().min(0).nullable(),
  /** AI explanations a month; null: any number. */
  ai_quota: z.int().min(0).nullable(),
});
export type Plan = z.infer<typeof Plan>;

/** What a team has used of its plan in a calendar month (UTC). */
export const Usage = z.object({
  /** Id of the plan. */
  plan: z.string(),
  period_start: Timestamp,
  period_end: Timestamp,
  errors: z.object({
    used: z.int(),
    /** Null: any number. */
    quota: z.int().nullable(),
    /** Reports that came after the quota was used up, and when the first of them came. */
    refused: z.int(),
    refused_since: Timestamp.nullable(),
  }),
  ai: z.object({ used: z.int(), quota: z.int().nullable() }),
});
export type Usage = z.infer<typeof Usage>;

/** The body of POST /billing/checkout. */
export const CheckoutInput = z.strictObject({
  /** Id of the plan that is to be paid for. */
  plan: z.string().max(limits.planIdChars),
  /** Absent: the one that the server is set up for, Stripe first. */
  provider: z.string().max(limits.providerChars).optional(),
});
export type CheckoutInput = z.infer<typeof CheckoutInput>;

/** The answer to POST /billing/checkout. */
export const Checkout = z.object({
  payment_id: Id,
  /** Where it is paid. */
  checkout_url: z.string(),
});
export type Checkout = z.infer<typeof Checkout>;

/** What a team is to pay, or has paid, for a plan. */
export const Payment = z.object({
  payment_id: Id,
  /** Id of the plan. */
  plan: z.string(),
  status: z.enum(['pending', 'paid', 'failed']),
  created_at: Timestamp,
  paid_at: Timestamp.nullable(),
});
export type Payment = z.infer<typeof Payment>;

/** What the sandbox tells of a payment, as the body of POST /billing/webhook/sandbox. Whatever else it has is ignored. */
export const SandboxEvent = z.object({
  id: z.string().min(1).max(limits.paymentEventIdChars),
  /** `payment.succeeded` or `payment.failed`; of another type it is taken, and changes nothing. */
  type: z.string(),
  /** Null: what can be the id of no payment. */
  payment_id: Id.nullable().catch(null),
});
export type SandboxEvent = z.infer<typeof SandboxEvent>;

/** The answer to a signed event, once all that it changes is stored. */
export const Received = z.object({ received: z.literal(true) });
export type Received = z.infer<typeof Received>;
