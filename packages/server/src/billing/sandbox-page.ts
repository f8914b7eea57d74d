import { html, type Html } from '../html/html.ts';
import { htmlDocument } from '../html/html-document.ts';
import type { PaymentRecord } from '../store/records/billing-records.ts';
import { formatPrice } from '../text/format-price.ts';
import { sandboxPath } from '../payment-providers/sandbox.ts';

/** Renders the checkout page of the sandbox. It has no script: its buttons submit forms. */
export function sandboxPage(payment: PaymentRecord, checkoutId: string, planName: string): string {
  const path = sandboxPath(payment.id, checkoutId);
  return htmlDocument(
    `Payment ${payment.id}`,
    '/checkout.css',
    html`<main>
      <p class="sandbox">Sandbox: you will not be charged</p>
      <h1>${planName}</h1>
      <p class="price">${formatPrice(payment.price, payment.currency)}</p>
      <p role="status">Payment ${payment.id} ${states[payment.status]}.</p>
      ${payment.status !== 'paid' && buttons(path, payment.status)}
      <p><a href="/#${payment.status === 'pending' ? 'cancelled' : 'payment'}=${payment.id}">Back</a></p>
    </main>`,
  );
}

const states: Record<PaymentRecord['status'], string> = {
  pending: 'is pending',
  paid: 'is paid',
  failed: 'has failed',
};

function buttons(path: string, status: PaymentRecord['status']): Html {
  return html`<div class="buttons">
    <form method="post" action="${path}/pay"><button class="primary">Pay</button></form>
    ${status === 'pending' && html`<form method="post" action="${path}/fail"><button>Fail this payment</button></form>`}
  </div>`;
}
