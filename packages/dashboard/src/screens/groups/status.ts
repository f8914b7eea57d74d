import type { ErrorGroup } from '@service/protocol';
import { dayMs } from '../../format/time.ts';

const newMs = dayMs;
const reopenedMs = 7 * dayMs;

export type StatusBadge = 'resolved' | 'reopened' | 'new';

/** Returns the badge of a group, or null if it is active, and neither new nor recently reopened. */
export function statusBadge({ status, reopened_at, first_seen }: ErrorGroup): StatusBadge | null {
  const now = Date.now();
  if (status === 'resolved') return 'resolved';
  if (reopened_at !== null && now - Date.parse(reopened_at) < reopenedMs) return 'reopened';
  return now - Date.parse(first_seen) < newMs ? 'new' : null;
}
