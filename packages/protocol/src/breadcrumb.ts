import { z } from 'zod';
import { Timestamp } from './primitives.ts';

/** Something that happened before an error. */
export const Breadcrumb = z.object({
  timestamp: Timestamp,
  type: z.string(),
  category: z.string(),
  data: z.record(z.string(), z.unknown()),
});
export type Breadcrumb = z.infer<typeof Breadcrumb>;
