import type { ObservedGroup } from './observed-state.ts';
import { Anomaly } from './anomaly.ts';

/** Longer than a session, and than any error of a time that a start could not measure. */
const sessionMs = 30 * 60_000;

/** Throws an Anomaly unless the times of a group are those of this session, although the clock has jumped. */
export function checkTimes({ record, details, stored }: ObservedGroup, now: number): void {
  const { error_group_id: id, first_seen, last_seen, count, trend } = record;
  checkTime('first_seen', first_seen);
  checkTime('last_seen', last_seen);
  for (const report of stored ?? []) checkTime(`report ${report.id} of`, report.received_at);
  if (first_seen > last_seen) throw new Anomaly(`Group ${id} was last seen before it was first seen`);
  checkCounts('trend', trend);
  checkCounts('days', details?.daily ?? []);

  function checkTime(name: string, time: string): void {
    const ago = now - Date.parse(time);
    if (ago < -1_000 || ago > sessionMs)
      throw new Anomaly(`Group ${id} has ${name} ${time} at ${new Date(now).toISOString()}`);
  }

  function checkCounts(name: string, counts: readonly number[]): void {
    const shown = counts.reduce((sum, reports) => sum + reports, 0);
    if (shown !== count) throw new Anomaly(`The ${name} of group ${id} show ${shown} of ${count} reports`);
  }
}
