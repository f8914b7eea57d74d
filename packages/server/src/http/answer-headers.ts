import { randomUUID } from 'node:crypto';
import type { H3Event } from 'h3';

export type AnswerHeaders = Record<string, string>;

const requestIdForm = /^[A-Za-z0-9_-]{1,64}$/;

/** Headers that every answer has. */
export function commonHeaders(event: H3Event): AnswerHeaders {
  const headers: AnswerHeaders = {
    'x-request-id': requestId(event.req.headers.get('x-request-id')),
    'x-content-type-options': 'nosniff',
  };
  if (event.url.pathname.startsWith('/api/')) headers['cache-control'] = 'no-store';
  return headers;
}

/** A good id of the client, else a new one. */
export function requestId(given: string | null): string {
  return given !== null && requestIdForm.test(given) ? given : randomUUID();
}

/** Gives headers to whatever the answer is going to be. */
export function setHeaders(event: H3Event, headers: AnswerHeaders): void {
  for (const [name, value] of Object.entries(headers)) event.res.headers.set(name, value);
}
