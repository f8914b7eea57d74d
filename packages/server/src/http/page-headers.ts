import type { H3Event } from 'h3';
import { setHeaders } from './answer-headers.ts';

/** The policy of pages that only show: nothing but the styles and the icon of this server. */
export const plainPagePolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Headers of what browsers show: reports are written by attackers, so pages run and load only what the policy names. */
export function setPageHeaders(event: H3Event, contentType: string, contentSecurityPolicy: string): void {
  setHeaders(event, {
    'content-type': contentType,
    'content-security-policy': contentSecurityPolicy,
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-cache',
  });
}
