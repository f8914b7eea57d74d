import type { Thrown } from './describe-error.ts';

/** What was thrown, of an event the error inside it; and the place that an event tells. Never throws. */
export function readThrown(thrown: Thrown): [value: Thrown, place: string | undefined] {
  let place: string | undefined;
  try {
    // Events of any realm have a phase.
    if (thrown.eventPhase >= 0) {
      if (thrown.lineno) place = `    at ${thrown.filename}:${thrown.lineno}:${thrown.colno}`;
      thrown = thrown.error ?? (thrown.message as unknown as Thrown) ?? thrown.reason;
    }
  } catch {
    // null, or a revoked proxy, has nothing.
  }
  return [thrown, place];
}
