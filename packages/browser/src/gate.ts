import type { Gate } from './client.ts';
import { createDedupe } from './dedupe.ts';
import { passesFilters } from './filters.ts';
import { createRateLimit } from './rate-limit.ts';
import { warn } from './warn.ts';

const repeatMs = 5_000;

/** Drops repeats, errors that the options of the page ignore, and floods. A later report has the number of its repeats. */
export function createGate(): Gate {
  const memoryOf = createDedupe();
  const takeToken = createRateLimit();

  return (client, identity, now, early, createReport) => {
    const recentErrors = memoryOf(identity);
    const recent = recentErrors.get(identity);
    if (recent && now < recent.until) return void recent.repeats++;
    const report = createReport();
    if (!passesFilters(client, report)) return;
    // Early errors arrive all at once, so they are exempt from the limit.
    if (!early && !takeToken(now)) return void warn(6, 'Too many errors, some dropped', client);
    if (recent?.repeats) report.metadata = { ...report.metadata, repeated: recent.repeats };
    recentErrors.set(identity, { until: now + repeatMs, repeats: 0 });
    return report;
  };
}
