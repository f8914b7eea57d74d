import { dayMs, hourMs } from '../time/units.ts';

// How long sessions, tokens and links are valid. The user chooses when a personal access token expires.

/** A session with tokens ends if it has not been refreshed for this time. */
export const tokenIdleMs = 30 * dayMs;
/** A session with a cookie ends if it has not been used for this time. */
export const cookieIdleMs = 12 * hourMs;
/** A session with a cookie ends after this time, even if it is used. */
export const maxCookieMs = 30 * dayMs;
/** Access tokens of a token session. */
export const accessTokenSeconds = 15 * 60;
/** Sign-in links and invitations. */
export const oneTimeTokenMs = 24 * hourMs;
/** Links in mails that ask for a confirmation. */
export const confirmationMs = 7 * dayMs;

/** Returns whether the time in a record, ISO 8601, has passed. An unreadable time counts as passed. */
export function isExpired(expiresAt: string, now: number): boolean {
  return !(Date.parse(expiresAt) > now);
}
