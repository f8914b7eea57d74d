import * as z from 'zod';
import { limits } from './limits.ts';
import { Id, Timestamp } from './primitives.ts';

/** A personal access token for CI and tools, without the token itself. */
export const PersonalToken = z.object({
  id: Id,
  name: z.string(),
  created_at: Timestamp,
  /** Null means that the token never expires. */
  expires_at: Timestamp.nullable(),
});
export type PersonalToken = z.infer<typeof PersonalToken>;

/** The response of POST /auth/tokens. */
export const NewPersonalToken = PersonalToken.extend({
  /** `pat_…`, sent as a bearer token. It is returned only here. */
  token: z.string(),
});
export type NewPersonalToken = z.infer<typeof NewPersonalToken>;

/** The body of POST /auth/tokens. */
export const PersonalTokenInput = z.strictObject({
  name: z.string().trim().min(1).max(limits.tokenNameChars),
  /** A time in the future. If it is absent or null, the token never expires. */
  expires_at: z.iso.datetime('expected a time such as 2026-11-20T09:00:00.000Z').nullish(),
});
export type PersonalTokenInput = z.infer<typeof PersonalTokenInput>;
