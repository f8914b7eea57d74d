import * as z from 'zod';

/** An action or event that preceded an error. */
export const Breadcrumb = z.object({
  timestamp: z.string(),
  type: z.string(),
  category: z.string(),
  data: z.record(z.string(), z.unknown()),
});
export type Breadcrumb = z.infer<typeof Breadcrumb>;
