import { useLayoutEffect } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import type { Payment } from '@service/protocol';
import { explain } from '../../api/call.ts';
import { useLoad } from '../../api/use-load.ts';
import { textOf } from '../../components/prose.tsx';
import { supportEmail } from '../../session/server-facts.ts';

const askAgainMs = 2_000;
/** A payment is normally confirmed within seconds. */
const lateMs = 300_000;

interface OutcomeProps {
  id: string;
  /** Whether the checkout was left, as far as its provider knows. */
  isLeft: boolean;
  /** Name of the plan that counts now. */
  plan: string;
}

/** What has become of a payment, for whoever comes back from its checkout. */
export function Outcome({ id, isLeft, plan }: OutcomeProps) {
  const { value, error, reload } = useLoad<Payment>(`/billing/payments/${encodeURIComponent(id)}`);
  const isLate = useSignal(false);
  const status = value?.status;
  const isPending = status === 'pending';
  useLayoutEffect(() => {
    if (!isPending) return;
    // The stream tells at once of the plan that was paid for, but not of a payment that has failed.
    reload();
    const timer = setInterval(reload, askAgainMs);
    return () => clearInterval(timer);
  }, [isPending, plan]);
  useLayoutEffect(() => {
    if (!isPending) return;
    const timer = setTimeout(() => (isLate.value = true), pendingSince(id) + lateMs - Date.now());
    return () => clearTimeout(timer);
  }, [isPending, id]);
  const outcome = !isPending ? status : isLeft ? 'cancelled' : isLate.value ? 'late' : status;
  const looks = { paid: 'good', failed: 'bad', late: '', pending: 'quiet', cancelled: 'quiet' } as const;
  return (
    <div role="status">
      {(outcome ?? error) && (
        <p class={`banner ${looks[outcome ?? 'pending']}`}>
          {outcome ? textOf(`payment-${outcome}`, { plan, id }) : explain(error)}{' '}
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

/**
 * When this tab saw first that the payment is pending; a reload does not begin the wait again. The time at which the
 * payment was made says less: how long the customer was at the checkout is no delay.
 */
function pendingSince(id: string): number {
  const name = `service-payment-${id}`;
  const known = Number(sessionStorage.getItem(name));
  if (known) return known;
  const now = Date.now();
  sessionStorage.setItem(name, `${now}`);
  return now;
}
