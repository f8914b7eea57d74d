import type { Usage } from '@service/protocol';
import { DateTime } from '../components/time.tsx';
import { countOf, formatNumber } from '../format/count.ts';
import { usage, usedShare, warningShare } from '../session/usage.ts';

/** Shown on every screen once 75 % of the quota is used, or if the storage of the server is nearly full. */
export function Banners() {
  if (!usage.value) return null;
  const { errors, storage } = usage.value;
  return (
    <>
      <StorageBanner {...storage} />
      <QuotaBanner {...errors} />
    </>
  );
}

function StorageBanner({ state }: Usage['storage']) {
  if (state === 'ok') return null;
  return (
    <p class={state === 'low' ? 'banner' : 'banner bad'} role="status">
      {state === 'low'
        ? 'The storage of the server will soon be full. It then rejects reports and source maps.'
        : 'The storage of the server is full: reports and source maps are rejected.'}{' '}
      Deleting errors and projects frees space.
    </p>
  );
}

function QuotaBanner({ used, quota, refused: rejected, refused_since: rejectedSince }: Usage['errors']) {
  const share = usedShare(used, quota);
  if (share === null || share < warningShare) return null;
  return (
    <p class={share < 1 ? 'banner' : 'banner bad'} role="status">
      {share < 1 ? `At least ${share < 0.9 ? warningShare * 100 : 90} % of the quota is used` : 'Quota reached'}:{' '}
      {formatNumber(used)} of {formatNumber(quota ?? 0)} reports this month.{' '}
      {rejectedSince && (
        <>
          {countOf(rejected, 'report')} rejected since <DateTime at={rejectedSince} time="short" />.{' '}
        </>
      )}
      <a href="/usage">Usage and plan</a>
    </p>
  );
}
