import type { ErrorGroup } from '@service/protocol';

/** Whatever is younger is new. */
const newMs = 24 * 3_600_000;

export type Standing = 'resolved' | 'reopened' | 'new' | null;

/** What a reader wants to know of a group first, in a word. */
export function standingOf({ status, reopened_at, first_seen }: ErrorGroup): Standing {
  const now = Date.now();
  if (status === 'resolved') return 'resolved';
  if (reopened_at !== null && now - Date.parse(reopened_at) < 7 * newMs) return 'reopened';
  return now - Date.parse(first_seen) < newMs ? 'new' : null;
}
