import * as z from 'zod';
import { limits } from './limits.ts';
import { Id } from './primitives.ts';

/**
 * `owner`: full access to the team; in the operator's team, also to the origins. `member`: everything except members,
 * origins, checkout and deleting the team. `viewer`: read-only.
 */
export const Role = z.enum(['owner', 'member', 'viewer']);
export type Role = z.infer<typeof Role>;

/** The sign-in name of a user. It is case-insensitive: it is trimmed and stored in lower case. */
export const Email = z.string().trim().toLowerCase().max(limits.emailChars).pipe(z.email('expected an e-mail address'));
export type Email = z.infer<typeof Email>;

/** A new password. A password that is only compared needs no minimum length, only a maximum. */
export const Password = z.string().min(limits.minPasswordChars).max(limits.maxPasswordChars);
export type Password = z.infer<typeof Password>;

export const PersonName = z.string().trim().min(1).max(limits.personNameChars);
export type PersonName = z.infer<typeof PersonName>;

const TeamName = z.string().trim().min(1).max(limits.teamNameChars);

const submittedPassword = z.string().max(limits.maxPasswordChars);
const submittedToken = z.string().max(512);

/** The body of POST /auth/register. */
export const RegisterInput = z.strictObject({
  email: Email,
  password: Password,
  name: PersonName.nullish(),
  team_name: TeamName.nullish(),
});
export type RegisterInput = z.infer<typeof RegisterInput>;

/** The body of POST /auth/login. */
export const LoginInput = z.strictObject({ email: z.string().max(320), password: submittedPassword });
export type LoginInput = z.infer<typeof LoginInput>;

/** The body of POST /auth/links/use. */
export const LinkInput = z.strictObject({ token: submittedToken });
export type LinkInput = z.infer<typeof LinkInput>;

/** The body of POST /auth/session: the credentials of POST /auth/login, or the token of a sign-in link. */
export const SessionInput = z.union([LoginInput, LinkInput]);
export type SessionInput = z.infer<typeof SessionInput>;

/** The body of POST /auth/refresh. */
export const RefreshInput = z.strictObject({ refresh_token: submittedToken });
export type RefreshInput = z.infer<typeof RefreshInput>;

/** The optional body of POST /auth/logout. */
export const LogoutInput = RefreshInput.partial();
export type LogoutInput = z.infer<typeof LogoutInput>;

/** The response of every operation that signs in with tokens. POST /auth/session sets a cookie instead. */
export const Tokens = z.object({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  /** Seconds. */
  expires_in: z.int(),
  refresh_token: z.string(),
});
export type Tokens = z.infer<typeof Tokens>;

/** The signed-in user. */
export const Me = z.object({
  id: Id,
  email: z.string(),
  name: z.string().nullable(),
  role: Role,
  team: z.object({ id: Id, name: z.string(), plan: z.string() }),
  /** `required`: until the user confirms the address by a mailed link, they can only read. Absent: no mail server. */
  email_status: z.enum(['verified', 'unverified', 'required']).optional(),
});
export type Me = z.infer<typeof Me>;

/** The body of PATCH /auth/me. A new password requires the current one. */
export const MePatch = z
  .strictObject({
    name: PersonName.nullish(),
    password: Password.optional(),
    current_password: submittedPassword.optional(),
  })
  .refine(({ password, current_password }) => password === undefined || current_password !== undefined, {
    path: ['current_password'],
    error: 'expected the current password',
  });
export type MePatch = z.infer<typeof MePatch>;

/** The body of POST /auth/confirmations/use. */
export const ConfirmationInput = z.strictObject({
  token: z.string().max(2_048),
  /** False: a recipient gets no notifications of this team, and an account that is not confirmed is removed. */
  accept: z.boolean().optional(),
});
export type ConfirmationInput = z.infer<typeof ConfirmationInput>;

/** A confirmed or declined e-mail address. */
export const Confirmation = z.object({
  /** `account`: the address of a user. `recipient`: an address that gets the notifications of a team. */
  kind: z.enum(['account', 'recipient']),
  email: z.string(),
  team: z.string(),
  status: z.enum(['confirmed', 'declined']),
});
export type Confirmation = z.infer<typeof Confirmation>;

/** The body of POST /auth/me/delete. */
export const AccountDeletion = z.strictObject({ current_password: submittedPassword });
export type AccountDeletion = z.infer<typeof AccountDeletion>;
