import type { H3Event } from 'h3';
import { setHeaders } from './response-headers.ts';

/** The policy of static pages: only styles and images of this server. */
export const plainPagePolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Sets the headers of a page. Pages show text of attackers, so they run and load only what the policy names. */
export function setPageHeaders(event: H3Event, contentType: string, contentSecurityPolicy: string): void {
  setHeaders(event, {
    'content-type': contentType,
    'content-security-policy': contentSecurityPolicy,
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-cache',
  });
}
