import * as z from 'zod';

/** An ISO 8601 time in UTC with milliseconds: `2026-11-20T09:00:00.000Z`. */
export const Timestamp = z.iso.datetime({ precision: 3 });
export type Timestamp = z.infer<typeof Timestamp>;

/** A positive integer that is never reused. */
export const Id = z.int().min(1);
export type Id = z.infer<typeof Id>;

/** A whole number in a query string. Schemas that check it with `z.int()` reject numbers above the safe integers. */
export const queryInteger = z
  .string()
  .regex(/^\d{1,16}$/, 'expected a whole number')
  .transform(Number);

/** An id in a query string. */
export const QueryId = queryInteger.pipe(z.int().min(1));
