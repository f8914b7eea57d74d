import type { Gate } from './client.ts';
import { warn } from './warn.ts';

const windowMs = 5_000;
const maxInWindow = 10;

/** Drops repeats within five seconds, and errors after the first ten in that time. Early errors are exempt. */
export function createSimpleGate(): Gate {
  const identities = new Set<unknown>();
  let startedAt = 0;
  return (client, identity, now, early, createReport) => {
    if (Math.abs(now - startedAt) > windowMs) {
      startedAt = now;
      identities.clear();
    }
    if (identities.has(identity)) return;
    if (early || identities.size < maxInWindow) {
      // An object is not held: only itself would be its repeat, and the same task knows it.
      identities.add(Object(identity) === identity ? {} : identity);
      return createReport();
    }
    warn(6, 'Too many errors, some dropped', client);
  };
}
