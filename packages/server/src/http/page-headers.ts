import type { H3Event } from 'h3';
import { setHeaders } from './answer-headers.ts';

/** Headers of what browsers show: reports are written by attackers, so pages run and load only what the policy names. */
export function setPageHeaders(event: H3Event, contentType: string, contentSecurityPolicy: string): void {
  setHeaders(event, {
    'content-type': contentType,
    'content-security-policy': contentSecurityPolicy,
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-cache',
  });
}
