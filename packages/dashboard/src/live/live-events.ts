import { signal } from '@preact/signals';
import type { LiveEvent, LiveState, StreamUpdate } from './stream-update.ts';
import { shareStream } from './share-stream.ts';

/** State of the live stream. */
export const liveState = signal<LiveState>({ kind: 'connecting' });
/** When the stream was last live. */
export const lastLiveAt = signal(Date.now());

type EventListener = (event: LiveEvent) => unknown;

/** The "missed" note is shown this long. */
const missedNoteMs = 8_000;

const listeners = new Set<EventListener>();
let connection: AbortController | null = null;

/** Calls the listener with each live event. Returns the function that unsubscribes it. */
export function onEvent(listener: EventListener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Calls the listener each time the stream becomes live. Returns the function that unsubscribes it. */
export function onLive(listener: () => void): () => void {
  let previous = liveState.value.kind;
  return liveState.subscribe(({ kind }) => {
    if (kind === 'live' && previous !== 'live') listener();
    previous = kind;
  });
}

/** Publishes an event to all listeners: one of the stream, or a change that this page has made. */
export function broadcast(event: LiveEvent): void {
  for (const listener of listeners) listener(event);
}

/**
 * Connects to the stream, at a position if one is given. Calls `onSignedOut` when the session has ended. No listener
 * gets that event: a listener would load its data again, which the server rejects.
 */
export function startLive(from: string | null, onSignedOut: () => void): void {
  if (connection) return;
  connection = new AbortController();
  let noteTimer = 0;
  const onUpdate = ({ state, event }: StreamUpdate): void => {
    if (event?.type === 'reset' && event.reason) return onSignedOut();
    if (event) broadcast(event);
    if (!state) return;
    if (liveState.value.kind === 'live' && state.kind !== 'live') lastLiveAt.value = Date.now();
    liveState.value = state;
    if (state.kind !== 'live' || state.missed === 0) return;
    clearTimeout(noteTimer);
    noteTimer = setTimeout(() => {
      if (liveState.value.kind === 'live') liveState.value = { kind: 'live', missed: 0 };
    }, missedNoteMs);
  };
  void shareStream(from, onUpdate, connection.signal);
}

export function stopLive(): void {
  connection?.abort();
  connection = null;
  liveState.value = { kind: 'connecting' };
}
