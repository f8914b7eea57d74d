import type { H3Event } from 'h3';
import { isOriginAllowed } from '../origins.ts';
import { ProblemError } from '../problem.ts';
import type { Services } from '../services.ts';
import { setHeaders, type AnswerHeaders } from './answer-headers.ts';

/** The log tells of each refused origin once, and not without end. */
const mostLoggedOrigins = 1_000;

/**
 * What lets a page of an allowed origin read the answer, errors too. A page of another origin gets none of it, so
 * that its browser blocks the answer, and `origin_not_allowed` if the request comes through all the same.
 */
export function corsHeaders(services: Services, origin: string | null): AnswerHeaders {
  if (origin === null) return {};
  if (!isOriginAllowed(origin, services.config.corsOrigins, services.baseUrl)) {
    logRefusedOrigin(services, origin);
    throw new ProblemError(
      'origin_not_allowed',
      'Pages of this origin may not send reports. The operator of the server has to add it to its allow-list.',
    );
  }
  return { 'access-control-allow-origin': origin, 'access-control-expose-headers': 'Retry-After, X-Request-Id' };
}

/** Answers a preflight of POST /errors. */
export function answerPreflight(services: Services, event: H3Event): null {
  const { headers } = event.res;
  headers.set('vary', 'Origin');
  setHeaders(event, corsHeaders(services, event.req.headers.get('origin')));
  headers.set('access-control-allow-methods', 'POST');
  headers.set('access-control-allow-headers', 'content-type, content-encoding');
  headers.set('access-control-max-age', '86400');
  event.res.status = 204;
  return null;
}

function logRefusedOrigin(services: Services, origin: string): void {
  const { refusedOrigins, log } = services;
  if (refusedOrigins.has(origin) || refusedOrigins.size >= mostLoggedOrigins) return;
  refusedOrigins.add(origin);
  log.warn(
    { origin },
    origin === 'null'
      ? 'a page without an origin (a file, or a sandboxed frame) tried to send a report; it can not be allowed'
      : `a page of ${origin.slice(0, 200)} tried to send a report; to allow it, add --cors-origin ${origin.slice(0, 200)} or put it into SERVICE_CORS_ORIGINS`,
  );
}
