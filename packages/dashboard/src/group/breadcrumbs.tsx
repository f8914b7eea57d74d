import { useSignal } from '../state/signal.ts';
import type { Breadcrumb } from '@service/protocol';
import { isBad, sayCrumb } from './say-crumb.ts';

const shownAtFirst = 5;

/** What happened before, the last step first of all to be seen. */
export function Breadcrumbs({ breadcrumbs, at }: { breadcrumbs: readonly Breadcrumb[]; at: string }) {
  const isOpen = useSignal(false);
  if (breadcrumbs.length === 0) return null;
  const shown = isOpen.value ? breadcrumbs : breadcrumbs.slice(-shownAtFirst);
  const hidden = breadcrumbs.length - shown.length;
  return (
    <section id="breadcrumbs">
      <h2>What happened before</h2>
      {breadcrumbs.length > shownAtFirst && (
        <button class="plain small" aria-expanded={isOpen.value} onClick={() => (isOpen.value = !isOpen.value)}>
          {isOpen.value ? 'Only the last five' : `Show ${hidden} earlier`}
        </button>
      )}
      <ol class="crumbs">
        {shown.map((crumb, index) => (
          <Crumb key={breadcrumbs.length - shown.length + index} crumb={crumb} at={at} />
        ))}
        <li class="end">
          <span class="when">0 s</span>
          <b>error</b>
          <span>This error</span>
        </li>
      </ol>
    </section>
  );
}

function Crumb({ crumb, at }: { crumb: Breadcrumb; at: string }) {
  const { timestamp, category, type } = crumb;
  return (
    <li class={isBad(crumb) ? 'bad' : type.slice(0, 20)}>
      <time class="when" title={timestamp}>
        {before(timestamp, at)}
      </time>
      <b dir="auto">{category}</b>
      <span dir="auto">{sayCrumb(crumb)}</span>
    </li>
  );
}

/** How long before the error, which says more than the hour. */
function before(timestamp: string, at: string): string {
  const ms = Date.parse(at) - Date.parse(timestamp);
  if (Number.isNaN(ms)) return '';
  const seconds = Math.max(0, ms) / 1_000;
  return seconds < 100 ? `−${seconds.toFixed(1)} s` : `−${Math.floor(seconds / 60)} min`;
}
