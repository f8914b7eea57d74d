import { warn } from './warn.ts';

const held = new Set();
let busyUntil = 0;

/**
 * Whether something may be sent: the same one, by its key or itself, once in five seconds, ten others at once and one more each second. What is
 * `early` comes all at once, and takes nobody's place.
 */
export function mayPass(key: unknown, value: unknown, early: number): boolean | void {
  const now = Date.now();
  if (held.has(key) || held.has(value)) return;
  if (!early) {
    // What passes takes a second of a queue that is ten seconds long.
    if (busyUntil - now > 9_000) return warn('Too many errors: some are not sent.');
    busyUntil = Math.max(busyUntil, now) + 1_000;
  }
  const same = [key, value];
  same.forEach((one) => held.add(one));
  setTimeout(() => same.forEach((one) => held.delete(one)), 5_000);
  return true;
}
