import type { Checkout, Plan, Usage } from '@service/protocol';
import type { ComponentChildren } from 'preact';
import { call, get } from '../../api/call.ts';
import { useLoad } from '../../api/use-load.ts';
import { Bar } from '../../components/charts.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { runWithToast } from '../../components/toast.tsx';
import { formatBytes } from '../../format/bytes.ts';
import { countOf, formatNumber } from '../../format/count.ts';
import { param } from '../../router/address.ts';
import { useTitle } from '../../router/title.ts';
import { projects } from '../../session/projects.ts';
import { isOwner } from '../../session/permissions.ts';
import { loadUsage, usage, usedShare, warningShare } from '../../session/usage.ts';
import { formatPrice } from './format-price.ts';
import { Payments } from './payments.tsx';
import { PaymentStatus } from './payment-status.tsx';

/** Usage in the current month, and the plans. */
export function UsageScreen() {
  useTitle('Usage');
  const load = useLoad('plans', async () => {
    await loadUsage();
    return get<Plan[]>('/billing/plans');
  });
  const current = usage.value;
  return (
    <main>
      <h1 tabIndex={-1}>Usage and plan</h1>
      <Loaded load={load}>
        {(plans) => {
          if (!current) return null;
          const { errors, ai, storage, address_limits, plan, period_start } = current;
          const cancelledPayment = param('cancelled');
          const payment = cancelledPayment || param('payment');
          const planName = plans.find(({ id }) => id === plan)?.name ?? plan;
          return (
            <>
              {payment && (
                <PaymentStatus key={payment} id={payment} wasLeft={cancelledPayment !== ''} plan={planName} />
              )}
              <p class="soft">
                {monthOf(period_start)} (UTC). Plan: <b>{planName}</b>
              </p>
              <div class="meters">
                <Meter title="Reports" {...errors} />
                <Meter title="AI explanations" {...ai} />
                <StorageMeter {...storage} />
              </div>
              <p class="soft">
                An IP address can send {formatNumber(address_limits.reports_per_minute)} reports and{' '}
                {formatBytes(address_limits.bytes_per_minute)} a minute.
              </p>
              {plans.length > 1 && <Plans plans={plans} current={plan} />}
              <Payments plans={plans} />
            </>
          );
        }}
      </Loaded>
    </main>
  );
}

/** A period is a calendar month in UTC. In local time it could begin on the last day of the previous month. */
const monthOf = (start: string): string =>
  new Date(start).toLocaleDateString([], { month: 'long', year: 'numeric', timeZone: 'UTC' });

interface MeterProps {
  title: string;
  used: number;
  quota: number | null;
  format?: (value: number) => string;
  children?: ComponentChildren;
}

function Meter({ title, used, quota, format = formatNumber, children }: MeterProps) {
  const share = usedShare(used, quota);
  const level = share === null || share < warningShare ? '' : share < 1 ? 'warning' : 'bad';
  return (
    <section class={`meter ${level}`}>
      <h2>{title}</h2>
      <p>
        <b>{format(used)}</b> {quota === null ? '(unlimited)' : `of ${format(quota)}`}
      </p>
      {share !== null && (
        <>
          <Bar share={share} class={level} />
          <p class="soft">{share < 1 ? `${Math.floor(share * 100)} % used` : 'Limit reached'}</p>
        </>
      )}
      {children}
    </section>
  );
}

/** The stored reports of the largest project: each project has the same limit. */
function StorageMeter({ used_bytes, project_limit_bytes, largest_project, not_stored }: Usage['storage']) {
  const name = projects.value?.find(({ id }) => id === largest_project?.project_id)?.name;
  return (
    <Meter
      title={name ? `Stored reports of ${name}` : 'Stored reports'}
      used={largest_project?.used_bytes ?? 0}
      quota={project_limit_bytes}
      format={formatBytes}
    >
      <p class="soft">
        All projects: {formatBytes(used_bytes)}. When a project reaches its limit, its oldest reports are deleted;
        counts stay.
      </p>
      {not_stored > 0 && <p class="soft">{countOf(not_stored, 'report')} counted, but not stored: too many at once.</p>}
    </Meter>
  );
}

function Plans({ plans, current }: { plans: readonly Plan[]; current: string }) {
  return (
    <section class="block">
      <h2>Plans</h2>
      <ul class="cards">
        {plans.map((plan) => (
          <li key={plan.id} class={plan.id === current ? 'current' : ''}>
            <b class="name">{plan.name}</b>
            <span>{priceOf(plan)}</span>
            <span class="soft">
              Per month: {formatQuota(plan.error_quota)} reports, {formatQuota(plan.ai_quota)} AI explanations
            </span>
            {plan.id === current ? (
              <i class="badge new">current plan</i>
            ) : (
              plan.price > 0 &&
              isOwner() && <button onClick={() => runWithToast(() => checkOut(plan.id))}>Change to {plan.name}</button>
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
  return `${formatPrice({ amount: price, currency })} per month`;
}

const formatQuota = (quota: number | null): string => (quota === null ? 'unlimited' : formatNumber(quota));
