import { textOf } from '../components/prose.tsx';
import { At } from '../components/time.tsx';
import { share, usage } from '../session/usage.ts';

/** On every screen, once three quarters of the quota are used. */
export function QuotaBanner() {
  const errors = usage.value?.errors;
  const part = errors ? share(errors.used, errors.quota) : null;
  if (!errors || part === null || part < 0.75) return null;
  const { used, quota, refused, refused_since } = errors;
  return (
    <p class={part < 1 ? 'banner' : 'banner bad'} role="status">
      {part < 1 && `More than ${part < 0.9 ? 75 : 90} % are used. `}
      {textOf('quota-used', { used: used.toLocaleString(), quota: quota?.toLocaleString() })}{' '}
      {refused_since && (
        <>
          Since <At at={refused_since} time="short" /> reports are refused: {refused.toLocaleString()} so far.{' '}
        </>
      )}
      <a href="/usage">Usage and plan</a>
    </p>
  );
}
