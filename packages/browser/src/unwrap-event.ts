import { readProperty } from './read-property.ts';

/** What was thrown, and the location that an error event gives for it as a stack frame. */
export interface Thrown {
  value: unknown;
  frame?: string | undefined;
}

/** Returns whether a value is an event of any realm. `instanceof` knows only one realm. */
export function isEvent(value: unknown): boolean {
  return typeof readProperty(value, 'eventPhase') === 'number';
}

/** Returns the value inside an ErrorEvent or a PromiseRejectionEvent. Any other value is returned as given. */
export function unwrapEvent(thrown: unknown): Thrown {
  if (!isEvent(thrown)) return { value: thrown };
  const event: Partial<ErrorEvent & PromiseRejectionEvent> = Object(thrown);
  try {
    const { error, message, filename, lineno, colno } = event;
    // A rejection with undefined has a reason too.
    const value = error ?? message ?? ('reason' in event ? event.reason : event);
    return { value, frame: lineno ? `    at ${filename}:${lineno}:${colno}` : undefined };
  } catch {
    return { value: thrown };
  }
}
