import { limits } from '@service/protocol';
import type { H3Event } from 'h3';
import { isOriginEntry } from '../origins/origin-entry.ts';
import { truncate } from '../text/truncate.ts';
import { printable } from '../text/printable.ts';
import { ProblemError } from '../problem.ts';
import type { Services } from '../services.ts';
import { setHeaders, type ResponseHeaders } from './response-headers.ts';

/** The log warns of each rejected origin once, up to this number of origins. */
const maxLoggedOrigins = 1_000;

/**
 * Returns the headers that let a page of an allowed origin read the response, including errors. Returns no headers for
 * a request without an origin. Throws `origin_not_allowed` for any other origin: without these headers, browsers block
 * the response.
 */
export function corsHeaders(services: Services, origin: string | null): ResponseHeaders {
  if (origin === null) return {};
  if (origin !== services.baseUrl && !services.allowList.allows(origin)) {
    logRejectedOrigin(services, origin);
    throw new ProblemError(
      'origin_not_allowed',
      'Pages of this origin may not send reports. The operator of the server has to add it to its allow-list.',
    );
  }
  return { 'access-control-allow-origin': origin, 'access-control-expose-headers': 'Retry-After, X-Request-Id' };
}

/** Responds to a preflight of POST /errors. */
export function respondToPreflight(services: Services, event: H3Event): null {
  const { headers } = event.res;
  headers.set('vary', 'Origin');
  setHeaders(event, corsHeaders(services, event.req.headers.get('origin')));
  headers.set('access-control-allow-methods', 'POST');
  headers.set('access-control-allow-headers', 'content-type, content-encoding');
  headers.set('access-control-max-age', '86400');
  event.res.status = 204;
  return null;
}

function logRejectedOrigin(services: Services, origin: string): void {
  const { rejectedOrigins, log } = services;
  const shown = printable(truncate(origin, limits.originChars));
  if (rejectedOrigins.has(shown) || rejectedOrigins.size >= maxLoggedOrigins) return;
  rejectedOrigins.add(shown);
  log.warn({ origin: shown }, `a page of ${shown} tried to send a report; ${remedy(origin)}`);
}

/** Returns one line that says how to allow the origin. */
function remedy(origin: string): string {
  if (origin === 'null') return 'the page is a file or in a sandboxed frame, and cannot be allowed';
  // The name of a hostile origin must not lead the operator to allow more than this origin.
  if (!isOriginEntry(origin) || origin.includes('*') || origin.length > limits.originChars)
    return 'no entry of the allow-list can match this origin';
  return `to allow it, add --cors-origin ${origin}, or put it into SERVICE_CORS_ORIGINS or PUT /api/v1/origins`;
}
