import { useEffect } from '../state/hooks.ts';
import type { Payment } from '@service/protocol';
import { explain } from '../api/call.ts';
import { useLoad } from '../api/use-load.ts';
import { textOf } from '../parts/prose.tsx';

const askAgainMs = 2_000;

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
  const status = value?.status;
  const isPending = status === 'pending';
  useEffect(() => {
    if (!isPending) return;
    // The stream tells at once of the plan that was paid for, but not of a payment that has failed.
    reload();
    const timer = setInterval(reload, askAgainMs);
    return () => clearInterval(timer);
  }, [isPending, plan]);
  const outcome = isPending && isLeft ? 'cancelled' : status;
  return (
    <div role="status">
      {(outcome ?? error) && (
        <p class={`banner ${outcome === 'paid' ? 'good' : outcome === 'failed' ? 'bad' : 'quiet'}`}>
          {outcome ? textOf(`payment-${outcome}`, { plan }) : explain(error)} <a href="/usage">Close</a>
        </p>
      )}
    </div>
  );
}
