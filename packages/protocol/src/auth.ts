import * as z from 'zod';
import { limits } from './limits.ts';
import { Id } from './primitives.ts';

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

export const TeamName = z.string().trim().min(1).max(limits.teamNameChars);
export type TeamName = z.infer<typeof TeamName>;

const givenPassword = z.string().max(limits.longestPasswordChars);
const givenToken = z.string().max(512);

/** The body of POST /auth/register. */
export const RegisterInput = z.strictObject({
  email: Email,
  password: Password,
  name: PersonName.nullish(),
  team_name: TeamName.nullish(),
});
export type RegisterInput = z.infer<typeof RegisterInput>;

/** The body of POST /auth/login. */
export const LoginInput = z.strictObject({ email: z.string().max(320), password: givenPassword });
export type LoginInput = z.infer<typeof LoginInput>;

/** The body of POST /auth/links/use. */
export const LinkInput = z.strictObject({ token: givenToken });
export type LinkInput = z.infer<typeof LinkInput>;

/** The body of POST /auth/session: what signs in elsewhere signs in a browser here. */
export const SessionInput = z.union([LoginInput, LinkInput]);
export type SessionInput = z.infer<typeof SessionInput>;

/** The body of POST /auth/refresh. */
export const RefreshInput = z.strictObject({ refresh_token: givenToken });
export type RefreshInput = z.infer<typeof RefreshInput>;

/** The body of POST /auth/logout, which may also have none. */
export const LogoutInput = RefreshInput.partial();
export type LogoutInput = z.infer<typeof LogoutInput>;

/** The answer to every way of signing in. */
export const Tokens = z.object({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  /** Seconds. */
  expires_in: z.int(),
  refresh_token: z.string(),
});
export type Tokens = z.infer<typeof Tokens>;

/** Who is signed in. */
export const Me = z.object({
  id: Id,
  email: z.string(),
  name: z.string().nullable(),
  role: Role,
  team: z.object({ id: Id, name: z.string(), plan: z.string() }),
});
export type Me = z.infer<typeof Me>;

/** The body of PATCH /auth/me. Another password takes the one that is good now. */
export const MePatch = z
  .strictObject({
    name: PersonName.nullish(),
    password: Password.optional(),
    current_password: givenPassword.optional(),
  })
  .refine(({ password, current_password }) => password === undefined || current_password !== undefined, {
    path: ['current_password'],
    error: 'expected the password that is good now',
  });
export type MePatch = z.infer<typeof MePatch>;
