import { randomUUID } from 'node:crypto';
import type { H3Event } from 'h3';

export type AnswerHeaders = Record<string, string>;

const requestIdForm = /^[A-Za-z0-9_-]{1,64}$/;

/** Headers that every answer has. The request id is `givenId`, the client's, if that is a good one, else a new one. */
export function commonHeaders(givenId: string | null, path: string): AnswerHeaders {
  const headers: AnswerHeaders = {
    'x-request-id': givenId !== null && requestIdForm.test(givenId) ? givenId : randomUUID(),
    'x-content-type-options': 'nosniff',
  };
  if (path.startsWith('/api/')) headers['cache-control'] = 'no-store';
  return headers;
}

/** Gives those to the answer of an event. */
export function setCommonHeaders({ req, res, url }: H3Event): void {
  setHeaders({ res }, commonHeaders(req.headers.get('x-request-id'), url.pathname));
}

/** Gives headers to whatever the answer is going to be. */
export function setHeaders(event: Pick<H3Event, 'res'>, headers: AnswerHeaders): void {
  for (const [name, value] of Object.entries(headers)) event.res.headers.set(name, value);
}
