import { limits } from '@service/protocol';
import type { H3Event } from 'h3';
import { isOriginEntry } from '../origins/origin-entry.ts';
import { truncate } from '../text/truncate.ts';
import { printable } from '../text/printable.ts';
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
  if (origin !== services.baseUrl && !services.allowList.allows(origin)) {
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
  const told = printable(truncate(origin, limits.originChars));
  if (refusedOrigins.has(told) || refusedOrigins.size >= mostLoggedOrigins) return;
  refusedOrigins.add(told);
  log.warn({ origin: told }, `a page of ${told} tried to send a report; ${remedy(origin)}`);
}

/** In one line, what to add so that its pages may report. */
function remedy(origin: string): string {
  if (origin === 'null') return 'it is a file, or stands in a sandboxed frame, and can not be allowed';
  // What a stranger calls itself must not talk the operator into letting more in than this one.
  if (!isOriginEntry(origin) || origin.includes('*') || origin.length > limits.originChars)
    return 'it is no web page that an entry could name';
  return `to allow it, add --cors-origin ${origin}, or put it into SERVICE_CORS_ORIGINS or PUT /api/v1/origins`;
}
