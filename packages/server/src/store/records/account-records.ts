import type { Role } from '@service/protocol';

/** Owns projects and members. Teams cannot see each other. */
export interface TeamRecord {
  id: number;
  name: string;
  created_at: string;
  /** Id of the plan that was paid for or that the operator set. Absent: the default plan. */
  plan?: string;
  /** When the operator last set a plan: milliseconds. */
  plan_set_at?: number;
  /** When the operator disabled the team. Absent: it is enabled. */
  disabled_at?: string;
}

/** An account. */
export interface UserRecord {
  id: number;
  team_id: number;
  /** Lower case and unique. */
  email: string;
  name: string | null;
  role: Role;
  /** A scrypt hash with its parameters. Null until an invited user accepts the invitation. */
  password: string | null;
  created_at: string;
  /** When the user confirmed the address by a mailed link. Absent: never. */
  email_verified_at?: string;
  /** True if the user can only read until the address is confirmed. */
  must_verify?: true;
}

/**
 * A session of a user. `id` is the SHA-256 of its secret. Its access tokens contain the id and are valid only while it
 * exists.
 */
export interface SessionRecord {
  id: string;
  user_id: number;
  /** SHA-256 of the valid refresh token. Null for a cookie session, which has no tokens. */
  refresh_hash: string | null;
  created_at: string;
  expires_at: string;
}

/** A one-time sign-in link. `id` is the SHA-256 of its token. */
export interface LinkRecord {
  id: string;
  user_id: number;
  expires_at: string;
}

/** A one-time invitation of a member. `id` is the SHA-256 of its token. */
export interface InvitationRecord {
  id: string;
  user_id: number;
  expires_at: string;
}

/** A personal access token: a Bearer token that acts as the user who created it. */
export interface PersonalTokenRecord {
  id: number;
  user_id: number;
  name: string;
  /** SHA-256 of the token. */
  token_hash: string;
  created_at: string;
  /** Null: it never expires. */
  expires_at: string | null;
}
