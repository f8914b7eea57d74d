import type { H3Event } from 'h3';
import { ProblemError } from '../problem.ts';
import type { Services } from '../services.ts';

/**
 * Throws `forbidden` for a write request with the cookie that a page of another origin may have sent. Browsers name the
 * origin in two headers that pages cannot set.
 */
export function assertSameOrigin(services: Services, event: H3Event): void {
  const { method, headers } = event.req;
  if (method === 'GET' || method === 'HEAD') return;
  // Sec-Fetch-Site is newer than Origin and correct behind every proxy. Browsers send it only to https and localhost.
  const site = headers.get('sec-fetch-site');
  const isSame = site === null ? isOwnOrigin(services, event) : site === 'same-origin';
  if (!isSame) {
    throw new ProblemError(
      'forbidden',
      'A write request with the session cookie must come from a page of this server.',
    );
  }
}

/**
 * Returns whether the Origin header is the configured base URL, or matches the address that the browser called. Host is
 * not trusted elsewhere, but here the browser that sends Origin wrote it too.
 */
function isOwnOrigin({ baseUrl }: Services, event: H3Event): boolean {
  const sent = event.req.headers.get('origin');
  if (sent === baseUrl) return true;
  if (sent === null || !/^https?:/.test(sent) || !URL.canParse(sent)) return false;
  const { origin, host } = new URL(sent);
  // If the server uses https, anyone on the network path could have sent a page over http.
  const isSecureEnough = !baseUrl.startsWith('https:') || origin.startsWith('https:');
  return origin === sent && isSecureEnough && host === event.url.host;
}
