import type { Gate } from './client.ts';
import { warn } from './warn.ts';

const windowMs = 5_000;
const maxInWindow = 10;

/**
 * Drops repeats in a window of five seconds, and errors after the first ten in it. Early errors are exempt from that
 * limit.
 */
export function createErrorsGate(): Gate {
  const identities = new Set<unknown>();
  let startedAt = 0;
  return (client, identity, timestamp, isEarly, createReport) => {
    if (Math.abs(timestamp - startedAt) > windowMs) {
      startedAt = timestamp;
      identities.clear();
    }
    if (identities.has(identity)) return;
    if (isEarly || identities.size < maxInWindow) {
      // An object is not held: only the same object is its repeat, and `capture` recognizes it in the same task.
      identities.add(Object(identity) === identity ? {} : identity);
      return createReport();
    }
    warn(6, 'Too many errors, some dropped', client);
  };
}
