import { signal } from '@preact/signals';
import type { LiveEvent, LiveState, Told } from './follow-stream.ts';
import { shareStream } from './share-stream.ts';

/** How it stands with the stream. */
export const live = signal<LiveState>({ kind: 'connecting' });
/** When something was heard last while the stream was whole. */
export const lastLiveAt = signal(Date.now());

type Listener = (event: LiveEvent) => unknown;

const listeners = new Set<Listener>();
let ending: AbortController | null = null;

/** Calls the listener with each event of the stream; resolves into what ends that. */
export function listen(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Calls the listener each time the stream becomes live. Returns what ends that. */
export function whenLive(listener: () => void): () => void {
  let before = live.value.kind;
  return live.subscribe(({ kind }) => {
    if (kind === 'live' && before !== 'live') listener();
    before = kind;
  });
}

/** Told to all who listen: by the stream, or by what this page has done itself. */
export function tell(event: LiveEvent): void {
  for (const listener of listeners) listener(event);
}

/** From a position on, if one is known. */
export function startLive(from: string | null): void {
  if (ending) return;
  ending = new AbortController();
  let shownUntil = 0;
  const follow = ({ state, event }: Told): void => {
    if (event) tell(event);
    if (!state) return;
    if (live.value.kind === 'live' && state.kind !== 'live') lastLiveAt.value = Date.now();
    live.value = state;
    if (state.kind !== 'live' || state.missed === 0) return;
    // Said for a while, and then it is as if nothing had been.
    clearTimeout(shownUntil);
    shownUntil = setTimeout(() => {
      if (live.value.kind === 'live') live.value = { kind: 'live', missed: 0 };
    }, 8_000);
  };
  void shareStream(from, follow, ending.signal);
}

export function stopLive(): void {
  ending?.abort();
  ending = null;
  live.value = { kind: 'connecting' };
}
