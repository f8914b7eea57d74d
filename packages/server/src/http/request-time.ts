import type { IncomingMessage } from 'node:http';
import type { H3Event } from 'h3';
import { nodeRequest } from './incoming.ts';

const allowed = new WeakMap<IncomingMessage, number>();

/** Lets a request take so long to come in, from its first byte to its last. All others have the time that listeners give. */
export function allowTime(event: H3Event, timeMs: number): void {
  const request = nodeRequest(event);
  if (request) allowed.set(request, timeMs);
}

/** What a request was allowed; 0 if nobody said. */
export function timeAllowedMs(request: IncomingMessage): number {
  return allowed.get(request) ?? 0;
}
