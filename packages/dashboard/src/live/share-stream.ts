import { followStream } from './follow-stream.ts';
import { resetEvent, type LiveState, type StreamUpdate, type UpdateListener } from './stream-update.ts';

/**
 * Shares one stream among all tabs of the browser, which on HTTP/1.1 opens at most six connections to a host. The tab
 * that holds a lock reads the stream and broadcasts each update to the others. When it closes, another tab gets the
 * lock. That tab continues at its last position, so no event is missed. Resolves once the signal is aborted, or when
 * the tab with the lock finds that the session has ended.
 */
export async function shareStream(from: string | null, onUpdate: UpdateListener, signal: AbortSignal): Promise<void> {
  // Over plain http from another machine, browsers offer no locks. Each tab then reads a stream by itself.
  if (!('locks' in navigator)) return followStream(from, onUpdate, signal);
  const channel = new BroadcastChannel('service-live-2');
  let position = from;
  let state: LiveState | undefined;
  let isLeader = false;
  let isNew = true;

  const receive = (update: StreamUpdate): void => {
    state = update.state ?? state;
    // A reset while disconnected would only make requests that fail.
    if (update.position && (!isNew || isLeader || state?.kind === 'live')) {
      // This tab missed the events between the response to its page and its subscription to the channel.
      if (isNew && !isLeader && update.position !== position) onUpdate({ event: resetEvent() });
      isNew = false;
      position = update.position;
    }
    onUpdate(update);
  };
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches only its own origin.
  const broadcast = (update: StreamUpdate): void => channel.postMessage(update);
  const lead = (update: StreamUpdate): void => {
    receive(update);
    broadcast({ ...update, position });
  };
  channel.addEventListener('message', ({ data }: MessageEvent<StreamUpdate>) => {
    if (!isLeader) receive(data);
    // A tab that has just opened posts an empty update. The leader responds with the current state.
    else if (state) broadcast({ state, position });
  });
  broadcast({});

  try {
    await navigator.locks.request('service-live-2', { signal }, () => {
      isLeader = true;
      return followStream(position, lead, signal);
    });
  } catch (error) {
    // An aborted signal also ends the wait for the lock.
    if (!signal.aborted) throw error;
  } finally {
    channel.close();
  }
}
