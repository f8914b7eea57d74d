import * as z from 'zod';
import { limits } from './limits.ts';

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
