import { randomUUID } from 'node:crypto';
import { apiPrefix, paths, type SandboxEvent } from '@service/protocol';
import type { H3, H3Event } from 'h3';
import { findPaymentByCheckout } from '../billing/payments.ts';
import { sandboxPath } from '../payment-providers/sandbox.ts';
import { sandboxPage } from '../billing/sandbox-page.ts';
import { setPageHeaders } from '../http/page-headers.ts';
import { pathId } from '../http/path-id.ts';
import type { Services } from '../services.ts';
import type { PaymentRecord } from '../store/records/billing-records.ts';

/** Allows only the styles and the icon of this server, and the two forms of the page. */
const sandboxPolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/**
 * The checkout of the sandbox provider. Its link suffices to pay, as with any checkout. Adds no routes without a
 * sandbox.
 */
export function sandboxRoutes(app: H3, services: Services): void {
  const { sandbox } = services.payments;
  if (!sandbox) return;
  const route = sandboxPath(':payment_id', ':checkout');
  const eventPath = apiPrefix + paths.paymentWebhook.replace(':provider', sandbox.name);

  app.get(route, (event) => {
    const payment = open(event);
    setPageHeaders(event, 'text/html; charset=utf-8', sandboxPolicy);
    return sandboxPage(payment, checkoutOf(event), services.plans.find(payment.plan)?.name ?? payment.plan);
  });

  app.post(`${route}/pay`, (event) => settle(event, 'payment.succeeded'));
  app.post(`${route}/fail`, (event) => settle(event, 'payment.failed'));

  function open(event: H3Event): PaymentRecord {
    return findPaymentByCheckout(services, sandbox?.name ?? '', pathId(event, 'payment_id'), checkoutOf(event));
  }

  /** Sends a signed event to the public webhook, as a real provider would. */
  async function settle(event: H3Event, type: string): Promise<unknown> {
    const { id: payment_id } = open(event);
    const body = JSON.stringify({ id: `evt_${randomUUID()}`, type, payment_id } satisfies SandboxEvent);
    const headers = sandbox?.sign(body, services.now()) ?? {};
    const response = await app.fetch(new Request(new URL(eventPath, event.req.url), { method: 'POST', headers, body }));
    if (!response.ok) return response;
    event.res.status = 303;
    event.res.headers.set('location', sandboxPath(payment_id, checkoutOf(event)));
    return null;
  }
}

function checkoutOf(event: H3Event): string {
  return event.context.params?.checkout ?? '';
}
