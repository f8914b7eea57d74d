import * as z from 'zod';
import { limits } from './limits.ts';

/** The body of PUT /origins: exact origins, `https://*.example.com`, or `*`. */
export const OriginsInput = z.strictObject({
  origins: z.array(z.string().max(limits.originChars)).max(limits.origins),
});
export type OriginsInput = z.infer<typeof OriginsInput>;

/** The origins whose pages may send reports: those in either list. */
export const Origins = z.object({
  /** Set by PUT /origins. */
  origins: z.array(z.string()),
  from_settings: z.array(z.string()),
});
export type Origins = z.infer<typeof Origins>;
