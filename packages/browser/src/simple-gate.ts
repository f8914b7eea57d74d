import type { Gate } from './client.ts';
import { warn } from './warn.ts';

const rememberedMs = 5_000;
const maxRemembered = 10;

/** Drops repeats within five seconds, and errors after the first ten in that time. Early errors are exempt. */
export function createSimpleGate(): Gate {
  const recentErrors = new Set<unknown>();
  return (client, _report, identity, isEarly) => {
    if (recentErrors.has(identity)) return false;
    if (!isEarly && recentErrors.size >= maxRemembered) {
      warn(6, 'Too many errors, some are dropped', client);
      return false;
    }
    recentErrors.add(identity);
    setTimeout(() => recentErrors.delete(identity), rememberedMs);
    return true;
  };
}
