import type { Thrown } from './error-to-report.ts';

/**
 * Returns the error inside an error event, and the event's location as a stack frame. Any other value is returned as
 * given. Never throws.
 */
export function unwrapEvent(thrown: Thrown): [value: Thrown, location: string | undefined] {
  let location: string | undefined;
  try {
    // Events of every realm have a phase; `instanceof` knows only one realm.
    if (thrown.eventPhase >= 0) {
      if (thrown.lineno) location = `    at ${thrown.filename}:${thrown.lineno}:${thrown.colno}`;
      thrown = thrown.error ?? (thrown.message as unknown as Thrown) ?? thrown.reason;
    }
  } catch {
    // null and revoked proxies have no properties.
  }
  return [thrown, location];
}
