import { useSignal } from '@preact/signals';
import type { Payment } from '@service/protocol';
import { useLayoutEffect } from 'preact/hooks';
import { errorMessage } from '../../api/api-error.ts';
import { useLoad } from '../../api/use-load.ts';
import { supportEmail } from '../../server-facts.ts';

const pollMs = 2_000;
/** A payment is normally confirmed within seconds. */
export const latePaymentMs = 300_000;

interface PaymentStatusProps {
  id: string;
  /** True if the user left the checkout, as far as its provider knows. */
  wasLeft: boolean;
  /** Name of the current plan. */
  plan: string;
}

type Outcome = Payment['status'] | 'late' | 'cancelled';

const bannerClasses: Record<Outcome, string> = {
  paid: 'good',
  failed: 'bad',
  late: '',
  pending: 'quiet',
  cancelled: 'quiet',
};

/** Shows the result of a payment after the user returns from its checkout. */
export function PaymentStatus({ id, wasLeft, plan }: PaymentStatusProps) {
  const { value, error, reload } = useLoad<Payment>(`/billing/payments/${encodeURIComponent(id)}`);
  const isLate = useSignal(false);
  const status = value?.status;
  const isPending = status === 'pending';
  useLayoutEffect(() => {
    if (!isPending) return;
    // The stream reports a new plan immediately, but never a failed payment.
    reload();
    const timer = setInterval(reload, pollMs);
    return () => clearInterval(timer);
  }, [isPending, plan]);
  useLayoutEffect(() => {
    if (!isPending) return;
    const timer = setTimeout(() => (isLate.value = true), pendingSince(id) + latePaymentMs - Date.now());
    return () => clearTimeout(timer);
  }, [isPending, id]);
  const outcome = !isPending ? status : wasLeft ? 'cancelled' : isLate.value ? 'late' : status;
  return (
    <div role="status">
      {(outcome ?? error) && (
        <p class={`banner ${bannerClasses[outcome ?? 'pending']}`}>
          {outcome ? messageOf(outcome, plan, id) : errorMessage(error)}{' '}
          {outcome === 'late' && supportEmail && (
            <>
              <a href={`mailto:${supportEmail}?subject=${encodeURIComponent(`Payment ${id}`)}`}>{supportEmail}</a>{' '}
            </>
          )}
          <a href="/usage">Close</a>
        </p>
      )}
    </div>
  );
}

function messageOf(outcome: Outcome, plan: string, id: string): string {
  const untilConfirmed = `Your plan is ${plan} until it is confirmed. This message updates automatically.`;
  const messages: Record<Outcome, string> = {
    paid: `Payment received. Your plan is ${plan}.`,
    pending: `Waiting for the payment to be confirmed. ${untilConfirmed}`,
    late: `The payment is still not confirmed after five minutes. Contact support and mention payment number ${id}. ${untilConfirmed}`,
    failed: `The payment failed. You were not charged, and your plan is still ${plan}.`,
    cancelled: `You left the checkout before paying. You were not charged, and your plan is still ${plan}.`,
  };
  return messages[outcome];
}

/**
 * Returns the time when this tab first saw the payment as pending; a reload does not restart the wait. The time at
 * which the payment was created would not do: the time that the customer spent at the checkout is not a delay.
 */
function pendingSince(id: string): number {
  const key = `service-payment-${id}`;
  const stored = Number(sessionStorage.getItem(key));
  if (stored) return stored;
  const now = Date.now();
  sessionStorage.setItem(key, `${now}`);
  return now;
}
