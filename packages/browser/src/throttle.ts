import { warn } from './warn.ts';

const heldUntil = new Map<unknown, number>();
let busyUntil = 0;

/** Whether something may be sent: the same one once in five seconds, ten others at once and one more each second. */
export function mayPass(key: unknown): boolean | void {
  const now = Date.now();
  if (now < heldUntil.get(key)!) return;
  // What passes takes a second of a queue that is ten seconds long.
  if (busyUntil - now > 9_000) return warn('Too many errors: some are not sent.');
  busyUntil = Math.max(busyUntil, now) + 1_000;
  // What was thrown is not kept alive for long for the sake of knowing it again.
  if (heldUntil.size > 50) heldUntil.clear();
  heldUntil.set(key, now + 5_000);
  return true;
}
