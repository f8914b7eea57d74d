import { useSignal } from '@preact/signals';
import type { Checkout, Payment, Plan, Usage } from '@service/protocol';
import { call, explain, get } from '../api/call.ts';
import { useLoad } from '../api/use-load.ts';
import { Bar } from '../parts/charts.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Day } from '../parts/time.tsx';
import { param } from '../router/address.ts';
import { isOwner } from '../session/session.ts';
import { share, usage } from '../session/usage.ts';
import { RefusedSince } from './quota-banner.tsx';

/** What is used this month, of what, and how to get more. */
export function UsageScreen() {
  const load = useLoad('plans', () => Promise.all([get<Usage>('/billing/usage'), get<Plan[]>('/billing/plans')]));
  return (
    <main>
      <h1 tabIndex={-1}>Usage and plan</h1>
      <PaymentNote />
      <Loaded of={load}>
        {([read, plans]) => {
          const now = usage.value ?? read;
          const { errors, ai, period_start, period_end } = now;
          return (
            <>
              <p class="soft">
                <Day at={period_start} /> to <Day at={period_end} />, plan <b>{nameOf(plans, now.plan)}</b>
              </p>
              <RefusedSince usage={now} />
              <div class="meters">
                <Meter title="Reports" used={errors.used} quota={errors.quota} />
                <Meter title="AI explanations" used={ai.used} quota={ai.quota} />
              </div>
              {plans.length > 1 && <Plans plans={plans} current={now.plan} />}
            </>
          );
        }}
      </Loaded>
    </main>
  );
}

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
          <p class="soft">{level === '' ? `${Math.round(part * 100)} % used` : warning(part)}</p>
        </>
      )}
    </section>
  );
}

function warning(part: number): string {
  if (part >= 1) return 'Used up.';
  return part >= 0.9 ? 'More than 90 % is used.' : 'More than 75 % is used.';
}

function Plans({ plans, current }: { plans: readonly Plan[]; current: string }) {
  const problem = useSignal('');
  return (
    <section>
      <h2>Plans</h2>
      <ul class="cards plans">
        {plans.map((plan) => (
          <li key={plan.id} class={plan.id === current ? 'current' : ''}>
            <b class="name">{plan.name}</b>
            <span class="price">{priceOf(plan)}</span>
            <span>{sayQuota(plan.error_quota, 'reports')}</span>
            <span>{sayQuota(plan.ai_quota, 'AI explanations')}</span>
            {plan.id === current && <i class="badge">your plan</i>}
            {plan.id !== current && plan.price > 0 && isOwner() && (
              <button
                type="button"
                onClick={async () => {
                  try {
                    const { checkout_url } = await call<Checkout>('POST', '/billing/checkout', { plan: plan.id });
                    location.assign(checkout_url);
                  } catch (error) {
                    problem.value = explain(error);
                  }
                }}
              >
                Change to {plan.name}
              </button>
            )}
          </li>
        ))}
      </ul>
      {!isOwner() && <p class="soft">Only owners change the plan.</p>}
      <p class="problem" role="alert">
        {problem.value}
      </p>
    </section>
  );
}

/** Who comes back from a checkout hears what has become of it. */
function PaymentNote() {
  const id = Number(param('payment')) || null;
  const load = useLoad(`payment ${id}`, async () => (id === null ? null : get<Payment>(`/billing/payments/${id}`)));
  const payment = load.value;
  if (!payment) return null;
  return (
    <p class={payment.status === 'failed' ? 'banner bad' : 'banner'} role="status">
      {payment.status === 'paid' && 'The payment is made: the plan counts from now on.'}
      {payment.status === 'failed' && 'The payment has failed. The plan is as it was.'}
      {payment.status === 'pending' && (
        <>
          The payment is not made yet. <button onClick={load.reload}>Look again</button>
        </>
      )}
    </p>
  );
}

function priceOf({ price, currency }: Plan): string {
  if (price === 0) return 'Free';
  const format = new Intl.NumberFormat([], { style: 'currency', currency });
  return `${format.format(price / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))} a month`;
}

const sayQuota = (quota: number | null, what: string): string =>
  quota === null ? `Any number of ${what}` : `${quota.toLocaleString()} ${what}`;

const nameOf = (plans: readonly Plan[], id: string): string => plans.find((plan) => plan.id === id)?.name ?? id;
