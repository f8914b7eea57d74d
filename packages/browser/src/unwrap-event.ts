import { attempt } from './guard.ts';

/** What was thrown, and the location that an error event gives for it as a stack frame. */
export interface Thrown {
  value: unknown;
  location?: string | undefined;
}

/** Returns the value inside an ErrorEvent or a PromiseRejectionEvent. Any other value is returned as given. */
export function unwrapEvent(thrown: unknown): Thrown {
  return attempt(() => readEvent(Object(thrown))) ?? { value: thrown };
}

function readEvent(event: Partial<ErrorEvent & PromiseRejectionEvent>): Thrown | undefined {
  const { eventPhase, error, message, filename, lineno, colno } = event;
  // Events of every realm have a phase. `instanceof` knows only one realm.
  if (typeof eventPhase !== 'number') return;
  const location = lineno ? `    at ${filename}:${lineno}:${colno}` : undefined;
  return { value: error ?? message ?? ('reason' in event ? event.reason : event), location };
}
