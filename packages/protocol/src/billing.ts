import * as z from 'zod';
import { limits } from './limits.ts';
import { Timestamp } from './primitives.ts';

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
