import * as z from 'zod';
import { Id, Timestamp } from './primitives.ts';

export const ExplanationStatus = z.enum(['pending', 'ready', 'failed']);
export type ExplanationStatus = z.infer<typeof ExplanationStatus>;

/** The response of POST /errors/{group_id}/ai-summary: generation has started. */
export const ExplanationRequested = z.object({
  status: z.literal('pending'),
  error_group_id: Id,
  requested_at: Timestamp,
});
export type ExplanationRequested = z.infer<typeof ExplanationRequested>;

/** The stored explanation of a group. While a new one is generated, the previous ready one remains available. */
export const Explanation = z.object({
  status: ExplanationStatus,
  error_group_id: Id,
  /** Markdown: what happened, likely cause, where to look, suggested fix. */
  summary: z.string().nullable(),
  /** The author: the name of the model, or `built-in`. */
  model: z.string().nullable(),
  requested_at: Timestamp,
  generated_at: Timestamp.nullable(),
  /** Why the last attempt failed. */
  error: z.string().nullable(),
  /** With `?receipt=true`: the exact body last sent to the provider; null if nothing was sent. */
  sent: z.string().nullable().optional(),
});
export type Explanation = z.infer<typeof Explanation>;

/** The query of GET /errors/{group_id}/ai-summary. */
export const ExplanationQuery = z.strictObject({ receipt: z.enum(['true', 'false']).optional() });
export type ExplanationQuery = z.infer<typeof ExplanationQuery>;
