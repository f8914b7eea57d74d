import * as z from 'zod';
import { AccountDeletion, Email, Password, PersonName, Role } from './auth.ts';
import { limits } from './limits.ts';
import { Id, Timestamp } from './primitives.ts';

/** A member of a team. */
export const Member = z.object({
  id: Id,
  email: z.string(),
  name: z.string().nullable(),
  role: Role,
  /** An `invited` member has no password yet. */
  status: z.enum(['active', 'invited']),
  created_at: Timestamp,
});
export type Member = z.infer<typeof Member>;

/** The response of POST /members. */
export const NewMember = Member.extend({
  /**
   * The page on which an invited member chooses a password. It works once, within 24 hours, and is returned only here.
   */
  invite_url: z.string().optional(),
});
export type NewMember = z.infer<typeof NewMember>;

/** The body of POST /members. Without a password the member is invited. */
export const MemberInput = z.strictObject({
  email: Email,
  role: Role,
  name: PersonName.nullish(),
  password: Password.optional(),
});
export type MemberInput = z.infer<typeof MemberInput>;

/** The body of PATCH /members/{id}. Absent fields keep their value. */
export const MemberChange = z.strictObject({
  role: Role.optional(),
  name: PersonName.nullish(),
  password: Password.optional(),
});
export type MemberChange = z.infer<typeof MemberChange>;

/** The body of POST /auth/invitations/accept. */
export const InvitationInput = z.strictObject({
  token: z.string().max(512),
  password: Password,
  name: PersonName.nullish(),
});
export type InvitationInput = z.infer<typeof InvitationInput>;

/** The body of POST /team/delete. */
export const TeamDeletion = AccountDeletion.extend({
  /** The name of the team, as a confirmation. */
  team_name: z.string().max(limits.teamNameChars),
});
export type TeamDeletion = z.infer<typeof TeamDeletion>;
