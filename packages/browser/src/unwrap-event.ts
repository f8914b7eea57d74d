import { readProperty } from './guard.ts';

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
  const read = (name: string): unknown => readProperty(thrown, name);
  const value = read('error') ?? read('message');
  if (value == null) return { value: 'reason' in Object(thrown) ? read('reason') : thrown };
  return { value, frame: read('lineno') ? `    at ${read('filename')}:${read('lineno')}:${read('colno')}` : '' };
}
