import type { Gate } from './client.ts';
import { createDedupe } from './dedupe.ts';
import { passesFilters } from './filters.ts';
import { createRateLimit } from './rate-limit.ts';
import { warn } from './warn.ts';

/** Drops repeats, errors that the options of the page ignore, and floods. */
export function createGate(): Gate {
  const takeToken = createRateLimit();

  return createDedupe((client, _identity, timestamp, isEarly, createReport) => {
    const report = createReport();
    if (!passesFilters(client, report)) return;
    // Early errors arrive all at once, so they are exempt from the limit.
    return isEarly || takeToken(timestamp) ? report : warn(6, 'Too many errors, some dropped', client);
  });
}
