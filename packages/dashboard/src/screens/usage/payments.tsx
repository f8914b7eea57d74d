import type { Page, Payment, Plan } from '@service/protocol';
import { useLoad } from '../../api/use-load.ts';
import { DateTime } from '../../components/time.tsx';
import { supportEmail } from '../../server-facts.ts';
import { formatPrice } from './format-price.ts';
import { latePaymentMs } from './payment-status.tsx';

/** The last payments of the team, including refunded, disputed and unconfirmed ones. */
export function Payments({ plans }: { plans: Plan[] }) {
  const items = useLoad<Page<Payment>>('/billing/payments?size=20').value?.items ?? [];
  if (items.length === 0) return null;
  return (
    <section>
      <h2>Payments</h2>
      <ul class="cards">
        {items.map((payment) => (
          <li key={payment.payment_id}>
            <span>
              <b>
                Payment {payment.payment_id}: {plans.find(({ id }) => id === payment.plan)?.name ?? payment.plan}
              </b>{' '}
              <DateTime at={payment.created_at} />
            </span>
            <span>{stateOf(payment)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function stateOf({ payment_id, status, created_at, refund, dispute }: Payment): string {
  if (dispute) return `disputed, ${dispute.status}`;
  if (refund) return `${formatPrice(refund)} refunded`;
  if (status !== 'pending' || Date.now() - Date.parse(created_at) < latePaymentMs) return status;
  return `not confirmed. If you have paid, contact support${supportEmail ? ` (${supportEmail})` : ''} and mention payment number ${payment_id}`;
}
