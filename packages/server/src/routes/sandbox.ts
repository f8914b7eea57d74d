import { randomUUID } from 'node:crypto';
import { apiPrefix, paths, type SandboxEvent } from '@service/protocol';
import type { H3, H3Event } from 'h3';
import { findOpenPayment } from '../billing/payments.ts';
import { sandboxPath } from '../payment-providers/sandbox.ts';
import { sandboxPage } from '../billing/sandbox-page.ts';
import { setPageHeaders } from '../http/page-headers.ts';
import { pathId } from '../http/query.ts';
import type { Services } from '../services.ts';
import type { PaymentRecord } from '../store/records/records.ts';

/** Nothing but the style and the icon of this server, and its two buttons. */
const contentSecurityPolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** The checkout of the sandbox. Who has its link may pay, as with any checkout; without the sandbox nothing is there. */
export function sandboxRoutes(app: H3, services: Services): void {
  const { sandbox } = services.payments;
  if (!sandbox) return;
  const route = sandboxPath(':payment_id', ':checkout');
  const eventPath = apiPrefix + paths.paymentWebhook.replace(':provider', sandbox.name);

  app.get(route, (event) => {
    const payment = open(event);
    setPageHeaders(event, 'text/html; charset=utf-8', contentSecurityPolicy);
    return sandboxPage(payment, checkoutOf(event), services.plans.find(payment.plan)?.name ?? payment.plan);
  });

  app.post(`${route}/pay`, (event) => settle(event, 'payment.succeeded'));
  app.post(`${route}/fail`, (event) => settle(event, 'payment.failed'));

  function open(event: H3Event): PaymentRecord {
    return findOpenPayment(services, sandbox?.name ?? '', pathId(event, 'payment_id'), checkoutOf(event));
  }

  /** As any provider does it: by a signed event, at the very door at which those of strangers come. */
  async function settle(event: H3Event, type: string): Promise<unknown> {
    const { id: payment_id } = open(event);
    const body = JSON.stringify({ id: `evt_${randomUUID()}`, type, payment_id } satisfies SandboxEvent);
    const headers = sandbox?.sign(body, services.now()) ?? {};
    const answer = await app.fetch(new Request(new URL(eventPath, event.req.url), { method: 'POST', headers, body }));
    if (!answer.ok) return answer;
    event.res.status = 303;
    event.res.headers.set('location', sandboxPath(payment_id, checkoutOf(event)));
    return null;
  }
}

function checkoutOf(event: H3Event): string {
  return event.context.params?.checkout ?? '';
}
