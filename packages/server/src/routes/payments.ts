import { apiPrefix, CheckoutInput, PageQuery, paths } from '@service/protocol';
import type { H3 } from 'h3';
import { assertOwner } from '../accounts/permissions.ts';
import { findProvider } from '../payment-providers/payment-providers.ts';
import { checkOut, findPayment, listPayments, toPayment } from '../billing/payments.ts';
import { readPaymentEvent, applyPaymentEvent } from '../billing/receive-payment-event.ts';
import { authenticate } from '../http/authenticate.ts';
import { readBody, readJsonBytes } from '../http/body.ts';
import { incomingOf } from '../http/incoming.ts';
import { assertNoQuery, readQuery } from '../http/query.ts';
import { pathId } from '../http/path-id.ts';
import type { Services } from '../services.ts';

/** Checkout, and events of payment providers. */
export function paymentRoutes(app: H3, services: Services): void {
  app.post(apiPrefix + paths.checkout, async (event) => {
    const caller = await authenticate(services, event);
    assertOwner(caller);
    const checkout = await checkOut(services, caller, await readBody(event, CheckoutInput));
    event.res.status = 201;
    return checkout;
  });

  app.get(apiPrefix + paths.payments, async (event) => {
    const caller = await authenticate(services, event);
    return listPayments(services, caller, readQuery(event, PageQuery));
  });

  app.get(apiPrefix + paths.payment, async (event) => {
    const caller = await authenticate(services, event);
    const payment = findPayment(services, caller, pathId(event, 'payment_id'));
    assertNoQuery(event);
    return toPayment(payment);
  });

  app.post(apiPrefix + paths.paymentWebhook, async (event) => {
    const provider = findProvider(services.payments, event.context.params?.provider ?? '');
    const request = incomingOf(event);
    const bytes = await readJsonBytes(request);
    // The body is not parsed before its signature is verified.
    const paymentEvent = readPaymentEvent(services, provider, { bytes, header: request.header });
    assertNoQuery(event);
    await applyPaymentEvent(services, provider, paymentEvent);
    return { received: true };
  });
}
