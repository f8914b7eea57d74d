import * as z from 'zod';
import { limits } from './limits.ts';

/** The body of PUT /origins: exact origins, `https://*.example.com`, or `*`. */
export const OriginsInput = z.strictObject({
  origins: z.array(z.string().max(limits.originChars)).max(limits.origins),
});
export type OriginsInput = z.infer<typeof OriginsInput>;

/** Whose pages may send reports. Both lists count. */
export const Origins = z.object({
  /** Changed at run time. */
  origins: z.array(z.string()),
  from_settings: z.array(z.string()),
});
export type Origins = z.infer<typeof Origins>;
