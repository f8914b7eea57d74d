import { DateTime } from '../components/time.tsx';
import { countOf, formatNumber } from '../format/count.ts';
import { usage, usedShare } from '../session/usage.ts';

/** Shown on every screen once 75 % of the quota is used. */
export function QuotaBanner() {
  const errors = usage.value?.errors;
  const share = errors ? usedShare(errors.used, errors.quota) : null;
  if (!errors || share === null || share < 0.75) return null;
  const { used, quota, refused: rejected, refused_since: rejectedSince } = errors;
  return (
    <p class={share < 1 ? 'banner' : 'banner bad'} role="status">
      {share < 1 ? `More than ${share < 0.9 ? 75 : 90} % of the quota is used` : 'Quota reached'}: {formatNumber(used)}{' '}
      of {formatNumber(quota ?? 0)} reports this month.{' '}
      {rejectedSince && (
        <>
          {countOf(rejected, 'report')} rejected since <DateTime at={rejectedSince} time="short" />.{' '}
        </>
      )}
      <a href="/usage">Usage and plan</a>
    </p>
  );
}
