import type { Usage } from '@service/protocol';
import { At, clock } from '../parts/time.tsx';
import { share, usage } from '../session/usage.ts';

const dayMs = 86_400_000;

/** On every screen, once three quarters of the quota are used. */
export function QuotaBanner() {
  const known = usage.value;
  const part = known ? share(known.errors.used, known.errors.quota) : null;
  if (!known || part === null || part < 0.75) return null;
  if (part >= 1) {
    return (
      <div class="banner bad" role="status">
        <RefusedText usage={known} /> <a href="/usage">Usage and plan</a>
      </div>
    );
  }
  const { used, quota } = known.errors;
  return (
    <div class="banner" role="status">
      More than {part >= 0.9 ? 90 : 75} % of this month’s reports are used: {used.toLocaleString()} of{' '}
      {quota?.toLocaleString()}. <a href="/usage">Usage and plan</a>
    </div>
  );
}

export function RefusedSince({ usage: known }: { usage: Usage }) {
  return known.errors.refused_since ? (
    <p class="banner bad">
      <RefusedText usage={known} />
    </p>
  ) : null;
}

function RefusedText({ usage: { errors } }: { usage: Usage }) {
  const { refused_since, refused } = errors;
  if (!refused_since) return <>The quota is used up: the next report is refused.</>;
  const isToday = Date.now() - Date.parse(refused_since) < dayMs;
  return (
    <>
      Since {isToday ? <time dateTime={refused_since}>{clock(refused_since)}</time> : <At at={refused_since} />} reports
      are refused: {refused.toLocaleString()} so far.
    </>
  );
}
