import { textOf } from '../components/prose.tsx';
import { clock } from '../components/time.tsx';
import { lastLiveAt, live } from '../live/live.ts';

/** Green while live, red while nothing is being tried; in between it is neither. */
const dots: Partial<Record<typeof live.value.kind, string>> = { live: 'on', offline: 'off', stopped: 'off' };

/** How it stands with the stream, in a word or two. */
export function LiveNote() {
  const state = live.value;
  return (
    <p class="live" role="status">
      <i class={dots[state.kind]} aria-hidden="true" />
      <span>{sayLive(state)}</span>
    </p>
  );
}

function sayLive(state: typeof live.value): string {
  if (state.kind === 'stopped') return textOf(`stopped-${state.why}`);
  return state.kind === 'live' && state.missed > 0 ? `live, ${state.missed} missed are here` : state.kind;
}

/** While nothing new can come: how old it is what is shown. */
export function OfflineBanner() {
  const { kind } = live.value;
  if (kind === 'live' || kind === 'connecting') return null;
  return (
    <p class="banner quiet" role="status">
      {textOf(kind, { at: clock(lastLiveAt.value) })}
    </p>
  );
}
