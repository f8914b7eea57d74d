import { html } from '../html/html.ts';
import type { Mail } from '../outgoing/mailer.ts';
import type { PaymentRecord } from '../store/records/billing-records.ts';
import { formatPrice } from '../text/format-price.ts';

/** Formats a mail about a payment that was refunded or disputed. */
export function formatPaymentMail(payment: PaymentRecord, baseUrl: string, supportEmail: string | null): Mail {
  const sentences = [
    ...(payment.refund
      ? [`${formatPrice(payment.refund.amount, payment.refund.currency)} of payment ${payment.id} was refunded.`]
      : []),
    ...(payment.dispute ? [disputeTexts[payment.dispute.status].replace('{id}', `${payment.id}`)] : []),
    'The plan of your team has not changed.',
    ...(supportEmail === null ? [] : [`Questions: ${supportEmail}. Mention payment number ${payment.id}.`]),
  ];
  const link = `${baseUrl}/usage`;
  return {
    subject: `Payment ${payment.id} was ${payment.dispute ? 'disputed' : 'refunded'}`,
    text: [...sentences, '', link].join('\n'),
    html: html`<!doctype html>
      <html>
        <body style="font-family: system-ui, sans-serif; line-height: 1.5">
          ${sentences.map((sentence) => html`<p>${sentence}</p>`)}
          <p><a href="${link}">Usage and plan</a></p>
        </body>
      </html>`.text,
  };
}

const disputeTexts = {
  open: 'Payment {id} was disputed at the bank.',
  won: 'The dispute of payment {id} was closed, and the payment stays valid.',
  lost: 'The dispute of payment {id} was closed, and the payment was returned.',
};
