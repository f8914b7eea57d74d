import type { IncomingMessage } from 'node:http';
import type { H3Event } from 'h3';
import { nodeRequest } from './incoming.ts';

const timeouts = new WeakMap<IncomingMessage, number>();

/**
 * Sets the time in which a request must be received, from first to last byte. The timeout of the listener is the
 * default and the minimum.
 */
export function setRequestTimeout(event: H3Event, timeMs: number): void {
  const request = nodeRequest(event);
  if (request) timeouts.set(request, timeMs);
}

/** Returns the time allowed for a request, or 0 if none was set. */
export function requestTimeoutOf(request: IncomingMessage): number {
  return timeouts.get(request) ?? 0;
}
