import * as z from 'zod';

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

/** `owner` may do all, `member` all but members, origins, checkout and plan, `viewer` only read. */
export const Role = z.enum(['owner', 'member', 'viewer']);
export type Role = z.infer<typeof Role>;
