import type { Gate } from './client.ts';
import { createDedupe } from './dedupe.ts';
import { passesFilters } from './filters.ts';
import { createRateLimit } from './rate-limit.ts';
import { warn } from './warn.ts';

const repeatMs = 5_000;

/** Drops repeats, errors that the options of the page ignore, and floods. A report tells the repeats before it. */
export function createGate(): Gate {
  const recentErrors = createDedupe();
  const takeToken = createRateLimit();

  return (client, report, identity, isEarly) => {
    const now = Number(report.timestamp);
    const recent = recentErrors.get(identity);
    if (recent && now < recent.until) {
      recent.repeats++;
      return false;
    }
    if (!passesFilters(client, report)) return false;
    // Early errors arrive all at once, so they are exempt from the limit.
    if (!isEarly && !takeToken(now)) {
      warn(6, 'Too many errors, some are dropped', client);
      return false;
    }
    recentErrors.set(identity, { until: now + repeatMs, repeats: 0 });
    if (recent?.repeats) report.metadata = { ...report.metadata, repeated: recent.repeats };
    return true;
  };
}
