import type { H3Event } from 'h3';
import { ProblemError } from '../problem.ts';
import type { Services } from '../services.ts';

/**
 * Throws `forbidden` for a write that a page of another origin may have made a browser send, with the cookie that the
 * browser has for us. Browsers say in two headers whose page it was, and let no page write those.
 */
export function assertSameOrigin(services: Services, event: H3Event): void {
  const { method, headers } = event.req;
  if (method === 'GET' || method === 'HEAD') return;
  // Newer than Origin, and right behind every proxy; only sent to https and to this machine.
  const site = headers.get('sec-fetch-site');
  const isSame = site === null ? isOwnOrigin(services, event) : site === 'same-origin';
  if (!isSame) {
    throw new ProblemError('forbidden', 'With the session cookie only pages of this server may change anything.');
  }
}

/**
 * As in the settings, or as in the address that the browser has called: elsewhere the header Host is not asked, but here
 * it was written by the very browser that tells the origin.
 */
function isOwnOrigin({ baseUrl }: Services, event: H3Event): boolean {
  const given = event.req.headers.get('origin');
  if (given === baseUrl) return true;
  if (given === null || !/^https?:/.test(given) || !URL.canParse(given)) return false;
  const { origin, host } = new URL(given);
  // Where the server is reached by https, a page that came by http may be anybody's who sits on the line.
  const isSecureEnough = !baseUrl.startsWith('https:') || origin.startsWith('https:');
  return origin === given && isSecureEnough && host === event.url.host;
}
