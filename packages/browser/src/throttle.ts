import { warn } from './warn.ts';

const known = new Map<unknown, { until?: number; repeated?: number }>();
let busyUntil = 0;

/**
 * Whether something may be sent: -1 if not, else how often it was held back before. The same one is held back for
 * five seconds; of others ten pass at once, and one more each second.
 */
export function throttle(key: unknown): number {
  const now = Date.now();
  const { until = 0, repeated = 0 } = known.get(key) ?? {};
  // What passes takes a second of a queue that is ten seconds long.
  const isFull = busyUntil - now > 9_000;
  if (isFull) warn('Too many errors: some are not sent.');
  if (isFull || now < until) {
    known.set(key, { until, repeated: repeated + 1 });
    return -1;
  }
  busyUntil = Math.max(busyUntil, now) + 1_000;
  // What was thrown is not kept alive for long for the sake of counting it.
  if (known.size > 50) known.clear();
  known.set(key, { until: now + 5_000 });
  return repeated;
}
