import type { H3, H3Event } from 'h3';
import { confirmationPage } from '../accounts/confirmation-page.ts';
import { useConfirmation } from '../accounts/use-confirmation.ts';
import { readConfirmation, type PendingConfirmation } from '../accounts/read-confirmation.ts';
import { setPageHeaders } from '../http/page-headers.ts';
import { assertNoQuery } from '../http/query.ts';
import type { Services } from '../services.ts';

/** Allows only the styles and the icon of this server, and the form of the page. */
const confirmationPolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/**
 * The page that a mailed link opens. Opening it changes nothing, because mail programs and scanners open links: a
 * button confirms.
 */
export function confirmRoutes(app: H3, services: Services): void {
  const route = '/confirm/:token';
  app.get(route, page);
  app.post(route, (event) => settle(event, true));
  app.post(`${route}/decline`, (event) => settle(event, false));

  async function page(event: H3Event): Promise<string> {
    assertNoQuery(event);
    const confirmation = await readConfirmation(services, tokenOf(event));
    return renderConfirmation(event, confirmation);
  }

  async function settle(event: H3Event, accept: boolean): Promise<string> {
    return renderConfirmation(event, await useConfirmation(services, { token: tokenOf(event), accept }));
  }
}

function tokenOf(event: H3Event): string {
  return event.context.params?.token ?? '';
}

function renderConfirmation(event: H3Event, confirmation: PendingConfirmation): string {
  setPageHeaders(event, 'text/html; charset=utf-8', confirmationPolicy);
  // The path is a secret, and a cached page could offer what has been settled since.
  event.res.headers.set('cache-control', 'no-store');
  return confirmationPage(confirmation, `/confirm/${tokenOf(event)}`);
}
