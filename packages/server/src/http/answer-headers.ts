import { randomUUID } from 'node:crypto';
import type { H3Event } from 'h3';

export type AnswerHeaders = Record<string, string>;

const requestIdForm = /^[A-Za-z0-9_-]{1,64}$/;

/** Headers that every answer has. The request id is a good one of the client, else a new one. */
export function commonHeaders(event: H3Event): AnswerHeaders {
  const given = event.req.headers.get('x-request-id');
  const headers: AnswerHeaders = {
    'x-request-id': given !== null && requestIdForm.test(given) ? given : randomUUID(),
    'x-content-type-options': 'nosniff',
  };
  if (event.url.pathname.startsWith('/api/')) headers['cache-control'] = 'no-store';
  return headers;
}

/** Gives headers to whatever the answer is going to be. */
export function setHeaders(event: H3Event, headers: AnswerHeaders): void {
  for (const [name, value] of Object.entries(headers)) event.res.headers.set(name, value);
}
