import type { Gate } from './client.ts';
import { warn } from './warn.ts';

const windowMs = 5_000;
const maxInWindow = 10;

/** Drops repeats within five seconds, and errors after the first ten in that time. That limit exempts early errors. */
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
      // An object is not held: only itself would be its repeat, and the same task knows it.
      identities.add(Object(identity) === identity ? {} : identity);
      return createReport();
    }
    warn(6, 'Too many errors, some dropped', client);
  };
}
