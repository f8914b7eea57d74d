import type { Gate } from './client.ts';

const repeatMs = 5_000;
// The rate limit accepts 15 errors in five seconds, so an older text is no longer needed.
const maxTexts = 20;

/** The state of an error that was reported. */
interface RecentError {
  /** The time of the report, in milliseconds since 1970. */
  reportedAt: number;
  /** The number of repeats that were dropped. */
  repeats: number;
}

interface RecentErrors {
  get(identity: unknown): RecentError | undefined;
  set(identity: unknown, recent: RecentError): unknown;
  delete(identity: unknown): unknown;
}

/**
 * Returns a gate that drops the repeats of an error for five seconds after its report. The next report of that error
 * has their number. `gate` decides about all other errors. Texts are kept, thrown objects are held weakly. Two errors
 * are equal if `identityOf` in `capture.ts` returns the same. `capture()` itself drops a value that is captured again
 * before it was read.
 */
export function createDedupe(gate: Gate): Gate {
  const byObject: RecentErrors = new WeakMap();
  const byText = new Map<unknown, RecentError>();

  return (client, identity, timestamp, isEarly, createReport) => {
    const recentErrors = Object(identity) === identity ? byObject : byText;
    const recent = recentErrors.get(identity);
    if (recent && Math.abs(timestamp - recent.reportedAt) < repeatMs) return void recent.repeats++;
    const report = gate(client, identity, timestamp, isEarly, createReport);
    if (report) {
      if (recent?.repeats) report.metadata = { ...report.metadata, repeated: recent.repeats };
      // Deleted before, because a Map keeps the place of a key: the oldest report must come first.
      recentErrors.delete(identity);
      recentErrors.set(identity, { reportedAt: timestamp, repeats: 0 });
      const [oldest] = byText.keys();
      if (byText.size > maxTexts) byText.delete(oldest);
    }
    return report;
  };
}
