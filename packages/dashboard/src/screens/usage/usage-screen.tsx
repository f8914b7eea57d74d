import type { Checkout, Plan } from '@service/protocol';
import { call, get } from '../../api/call.ts';
import { useLoad } from '../../api/use-load.ts';
import { Bar } from '../../components/charts.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { attempt } from '../../components/toast.tsx';
import { param } from '../../router/address.ts';
import { isOwner } from '../../session/session.ts';
import { loadUsage, share, usage } from '../../session/usage.ts';
import { Outcome } from './payment-status.tsx';

/** What is used this month, of what, and how to get more. */
export function UsageScreen() {
  const load = useLoad('plans', async () => {
    await loadUsage();
    return get<Plan[]>('/billing/plans');
  });
  const used = usage.value;
  return (
    <main>
      <h1 tabIndex={-1}>Usage and plan</h1>
      <Loaded of={load}>
        {(plans) => {
          if (!used) return null;
          const { errors, ai, plan: current, period_start } = used;
          const left = param('cancelled');
          const payment = left || param('payment');
          const name = plans.find(({ id }) => id === current)?.name ?? current;
          return (
            <>
              {payment && <Outcome key={payment} id={payment} isLeft={left !== ''} plan={name} />}
              <p class="soft">
                {monthOf(period_start)}, counted in UTC. Plan <b>{name}</b>
              </p>
              <div class="meters">
                <Meter title="Reports" {...errors} />
                <Meter title="AI explanations" {...ai} />
              </div>
              {plans.length > 1 && <Plans plans={plans} current={current} />}
            </>
          );
        }}
      </Loaded>
    </main>
  );
}

/** A period is a calendar month in UTC. In local time it would begin on the last day of the month before. */
const monthOf = (start: string): string =>
  new Date(start).toLocaleDateString([], { month: 'long', year: 'numeric', timeZone: 'UTC' });

function Meter({ title, used, quota }: { title: string; used: number; quota: number | null }) {
  const part = share(used, quota);
  const level = part === null || part < 0.75 ? '' : part < 1 ? 'warning' : 'bad';
  return (
    <section class={`meter ${level}`}>
      <h2>{title}</h2>
      <p>
        <b>{used.toLocaleString()}</b> {quota === null ? 'of any number' : `of ${quota.toLocaleString()}`}
      </p>
      {part !== null && (
        <>
          <Bar share={part} class={level} />
          <p class="soft">{part < 1 ? `${Math.floor(part * 100)} % used` : 'Used up'}</p>
        </>
      )}
    </section>
  );
}

function Plans({ plans, current }: { plans: readonly Plan[]; current: string }) {
  return (
    <section>
      <h2>Plans</h2>
      <ul class="cards">
        {plans.map((plan) => (
          <li key={plan.id} class={plan.id === current ? 'current' : ''}>
            <b class="name">{plan.name}</b>
            <span>{priceOf(plan)}</span>
            <span class="soft">
              {sayQuota(plan.error_quota)} reports, {sayQuota(plan.ai_quota)} AI explanations
            </span>
            {plan.id === current ? (
              <i class="badge new">your plan</i>
            ) : (
              plan.price > 0 &&
              isOwner() && <button onClick={() => attempt(() => checkOut(plan.id))}>Change to {plan.name}</button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

async function checkOut(plan: string): Promise<void> {
  const { checkout_url } = await call<Checkout>('POST', '/billing/checkout', { plan });
  location.assign(checkout_url);
}

function priceOf({ price, currency }: Plan): string {
  if (price === 0) return 'Free';
  const format = new Intl.NumberFormat([], { style: 'currency', currency });
  return `${format.format(price / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))} a month`;
}

const sayQuota = (quota: number | null): string => quota?.toLocaleString() ?? 'any number of';
