import type { StreamEvent } from '@service/protocol';
import { followStream, type Follower, type LiveState } from './follow-stream.ts';

/** What the tab that has the stream tells the others; and what one that has just opened asks. */
type Message =
  | { kind: 'state'; state: LiveState }
  | { kind: 'event'; event: StreamEvent }
  | { kind: 'position'; id: string }
  | { kind: 'hello' };

/**
 * Follows the stream once for all tabs of this browser, which opens six connections a host and no more on HTTP/1.1: one
 * tab holds a lock, has the stream, and tells the rest. When it goes, the next one has the lock and goes on from the
 * position that it was told last, so nothing is missed. Resolves once the signal has ended it.
 */
export async function shareStream(from: string | null, follower: Follower, signal: AbortSignal): Promise<void> {
  // Both are missing on a page that came over plain http from another machine: there each tab has a stream of its own.
  if (!('locks' in navigator)) return followStream(from, follower, signal);
  const channel = new BroadcastChannel('service-live');
  let position = from;
  let state: LiveState | null = null;
  let isLeader = false;

  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other side but our own.
  const say = (message: Message): void => channel.postMessage(message);
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'hello') {
      if (!isLeader || !state) return;
      say({ kind: 'state', state });
      if (position !== null) say({ kind: 'position', id: position });
    } else if (isLeader) return;
    else if (data.kind === 'position') position = data.id;
    else if (data.kind === 'state') follower.state(data.state);
    else follower.event(data.event);
  });
  say({ kind: 'hello' });

  const lead: Follower = {
    state(next) {
      state = next;
      say({ kind: 'state', state });
      follower.state(state);
    },
    event(event) {
      say({ kind: 'event', event });
      follower.event(event);
    },
    position(id) {
      position = id;
      say({ kind: 'position', id });
    },
  };

  try {
    await navigator.locks.request('service-live', { signal }, () => {
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
