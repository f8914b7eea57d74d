import { followStream, reset, type Follower, type LiveState, type Told } from './follow-stream.ts';

/**
 * Follows the stream once for all tabs of this browser, which opens six connections a host and no more on HTTP/1.1: one
 * tab holds a lock, has the stream, and tells the rest. When it goes, the next one has the lock and goes on from the
 * position that it was told last, so nothing is missed. Resolves once the signal has ended it.
 */
export async function shareStream(from: string | null, follow: Follower, signal: AbortSignal): Promise<void> {
  // Both are missing on a page that came over plain http from another machine: there each tab has a stream of its own.
  if (!('locks' in navigator)) return followStream(from, follow, signal);
  const channel = new BroadcastChannel('service-live-2');
  let position = from;
  let state: LiveState | undefined;
  let isLeader = false;
  let isNew = true;

  const hear = (told: Told): void => {
    state = told.state ?? state;
    // Where there is no connection, nothing could be read anew either.
    if (told.position && (!isNew || isLeader || state?.kind === 'live')) {
      // What was told after this page was made, and before it listened, has passed it by.
      if (isNew && !isLeader && told.position !== position) follow({ event: reset() });
      isNew = false;
      position = told.position;
    }
    follow(told);
  };
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other side but our own.
  const say = (told: Told): void => channel.postMessage(told);
  const lead = (told: Told): void => {
    hear(told);
    say({ ...told, position });
  };
  channel.addEventListener('message', ({ data }: MessageEvent<Told>) => {
    if (!isLeader) hear(data);
    // A tab that has just opened says nothing, and is told how it stands.
    else if (state) say({ state, position });
  });
  say({});

  try {
    await navigator.locks.request('service-live-2', { signal }, () => {
      isLeader = true;
      return followStream(position, lead, signal);
    });
  } catch (error) {
    // Waiting for the lock was given up.
    if (!signal.aborted) throw error;
  } finally {
    channel.close();
  }
}
