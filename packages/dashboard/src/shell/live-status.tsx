import { countOf } from '../format/count.ts';
import { formatClock } from '../format/time.ts';
import { lastLiveAt, liveState } from '../live/live-events.ts';
import type { LiveState } from '../live/stream-update.ts';

/** Green while live, red while offline or stopped, and yellow while connecting or reconnecting. */
const dotClasses: Partial<Record<LiveState['kind'], string>> = { live: 'on', offline: 'off', stopped: 'off' };

const labels = { connecting: 'Connecting', reconnecting: 'Reconnecting', offline: 'Offline' };

const stopReasons: Record<number, string> = {
  429: 'too many open tabs',
  505: 'a proxy uses HTTP/1.0',
};

/** State of the live stream in a few words. */
export function LiveStatus() {
  return (
    <p class="live" role="status">
      <i class={dotClasses[liveState.value.kind]} aria-hidden="true" />
      <span>{labelOf(liveState.value)}</span>
    </p>
  );
}

function labelOf(state: LiveState): string {
  if (state.kind === 'stopped') {
    const reason = stopReasons[state.status];
    return `Live updates off${reason ? `: ${reason}` : ''}`;
  }
  if (state.kind !== 'live') return labels[state.kind];
  return state.missed > 0 ? `Live (${countOf(state.missed, 'missed update')} loaded)` : 'Live';
}

const warnings = {
  offline: 'You are offline.',
  reconnecting: 'The server can’t be reached. Trying again…',
  stopped: 'Live updates are off.',
};

/** Shows how old the data is while no live events arrive. */
export function OfflineBanner() {
  const { kind } = liveState.value;
  if (kind === 'live' || kind === 'connecting') return null;
  return (
    <p class="banner quiet" role="status">
      {warnings[kind]} Last updated {formatClock(lastLiveAt.value)}.
    </p>
  );
}
