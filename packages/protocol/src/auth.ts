import * as z from 'zod';
import { limits } from './limits.ts';

/** `owner` may do all, `member` all but members, origins, checkout and plan, `viewer` only read. */
export const Role = z.enum(['owner', 'member', 'viewer']);
export type Role = z.infer<typeof Role>;

/** Who somebody is by name to the server; capitals do not tell two people apart. */
export const Email = z.string().trim().toLowerCase().max(limits.emailChars).pipe(z.email('expected an e-mail address'));
export type Email = z.infer<typeof Email>;

/** A password that is chosen. Of one that is only compared nothing is expected but a bound. */
export const Password = z.string().min(limits.passwordChars).max(limits.longestPasswordChars);
export type Password = z.infer<typeof Password>;

export const PersonName = z.string().trim().min(1).max(limits.personNameChars);
export type PersonName = z.infer<typeof PersonName>;

/** The body of POST /auth/login. */
export const LoginInput = z.strictObject({ email: z.string().max(320), password: z.string().max(1_024) });
export type LoginInput = z.infer<typeof LoginInput>;

/** The body of POST /auth/links/use. */
export const LinkInput = z.strictObject({ token: z.string().max(512) });
export type LinkInput = z.infer<typeof LinkInput>;

/** The answer to every way of signing in. */
export const Tokens = z.object({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  /** Seconds. */
  expires_in: z.int(),
  refresh_token: z.string(),
});
export type Tokens = z.infer<typeof Tokens>;
