import * as z from 'zod';

/** ISO 8601, UTC, with milliseconds: `2026-11-20T09:00:00.000Z`. */
export const Timestamp = z.iso.datetime({ precision: 3 });
export type Timestamp = z.infer<typeof Timestamp>;

/** Positive, never used twice. */
export const Id = z.int().min(1);
export type Id = z.infer<typeof Id>;
