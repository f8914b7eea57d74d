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
  const [error, message, file, line, column] = ['error', 'message', 'filename', 'lineno', 'colno'].map((name) =>
    readProperty(thrown, name),
  );
  const value = error ?? message;
  if (value == null) return { value: 'reason' in Object(thrown) ? readProperty(thrown, 'reason') : thrown };
  return { value, frame: line ? `    at ${file}:${line}:${column}` : '' };
}
