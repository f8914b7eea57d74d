import { deleteCookie, getCookie, setCookie, type H3Event } from 'h3';
import type { SessionCookie } from '../accounts/sessions.ts';
import type { Services } from '../services.ts';

const name = 'service_session';

/** Returns the session secret of the browser, or null. */
export function readSessionCookie(event: H3Event): string | null {
  return getCookie(event, name) || null;
}

/** Sets the cookie for this site only, hidden from scripts. */
export function setSessionCookie(services: Services, event: H3Event, { secret, maxAgeSeconds }: SessionCookie): void {
  setCookie(event, name, secret, { ...attributes(services), maxAge: maxAgeSeconds });
}

export function deleteSessionCookie(services: Services, event: H3Event): void {
  deleteCookie(event, name, attributes(services));
}

function attributes({ baseUrl }: Services) {
  return { httpOnly: true, sameSite: 'strict', path: '/', secure: baseUrl.startsWith('https:') } as const;
}
