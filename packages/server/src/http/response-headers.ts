import { randomUUID } from 'node:crypto';
import type { H3Event } from 'h3';

export type ResponseHeaders = Record<string, string>;

const requestIdPattern = /^[A-Za-z0-9_-]{1,64}$/;

/** Returns the headers of every response. A valid request id of the client is kept; otherwise a new one is created. */
export function commonHeaders(sentId: string | null, path: string): ResponseHeaders {
  const headers: ResponseHeaders = {
    'x-request-id': sentId !== null && requestIdPattern.test(sentId) ? sentId : randomUUID(),
    'x-content-type-options': 'nosniff',
  };
  if (path.startsWith('/api/')) headers['cache-control'] = 'no-store';
  return headers;
}

/** Sets the headers that every response has. */
export function setCommonHeaders({ req, res, url }: H3Event): void {
  setHeaders({ res }, commonHeaders(req.headers.get('x-request-id'), url.pathname));
}

/** Sets headers on the response of an event, whatever its handler returns. */
export function setHeaders(event: Pick<H3Event, 'res'>, headers: ResponseHeaders): void {
  for (const [name, value] of Object.entries(headers)) event.res.headers.set(name, value);
}
