import type { StreamEvent } from '@service/protocol';
import { readEvents } from './read-events.ts';

export type LiveState =
  | { kind: 'connecting' | 'reconnecting' | 'offline' }
  /** `missed`: so many events have come since the stream was resumed, that had happened meanwhile. */
  | { kind: 'live'; missed: number }
  /** `why`: the status with which the stream is refused. */
  | { kind: 'stopped'; why: number };

/** What happens. When it was is of no interest here. */
export type LiveEvent = StreamEvent extends infer Known
  ? Known extends StreamEvent
    ? Omit<Known, 'at'>
    : never
  : never;

/** How it stands with the stream, what it has told, and how far. */
export interface Told {
  state?: LiveState;
  event?: LiveEvent;
  position?: string | null;
}

export type Follower = (told: Told) => void;

/** The server gives a sign of life every 15 seconds. */
const longestQuietMs = 40_000;
/** What comes so soon after a resumed stream has begun had happened before. */
const catchUpMs = 400;
const pausesMs = [200, 500];
const usualPauseMs = 1_000;
const longPauseMs = 5_000;
const patientTries = 60;
/** Where nothing is told, what is shown is read anew so often. */
const refusedPauseMs = 10_000;

/**
 * Follows the live stream until the signal, from a position on if there is one. EventSource would do most of this, but
 * tells nobody why a stream is refused, nor how far it has told.
 */
export async function followStream(from: string | null, follow: Follower, signal: AbortSignal): Promise<void> {
  let id = from;
  let isFirst = true;
  let tries = 0;
  while (!signal.aborted) {
    const connection = new AbortController();
    const end = (): void => connection.abort();
    const ending = AbortSignal.any([signal, connection.signal]);
    // A connection whose network has gone would say nothing, for long.
    addEventListener('offline', end, { signal: ending });
    let quiet = setTimeout(end, longestQuietMs);
    let why = 0;
    try {
      const query = id === null ? '' : `?last_event_id=${encodeURIComponent(id)}`;
      const answer = await fetch(`/api/v1/stream${query}`, { signal: ending });
      if (answer.status === 401) return follow({ event: reset('signed_out') });
      why = refusals.has(answer.status) ? answer.status : 0;
      if (why) {
        follow({ state: { kind: 'stopped', why } });
        follow({ event: reset() });
      }
      if (answer.ok && answer.body) {
        tries = 0;
        const caughtUp = isFirst ? 0 : performance.now() + catchUpMs;
        isFirst = false;
        let missed = 0;
        // Without a position nobody knows what has happened before.
        if (id === null) follow({ event: reset() });
        follow({ state: { kind: 'live', missed } });
        await readEvents(
          answer.body,
          (told) => {
            clearTimeout(quiet);
            quiet = setTimeout(end, longestQuietMs);
            if (told !== null && told !== id) follow({ position: (id = told) });
          },
          (data) => {
            const event = JSON.parse(data) as LiveEvent;
            if (performance.now() < caughtUp && event.type !== 'usage.updated')
              follow({ state: { kind: 'live', missed: ++missed } });
            follow({ event });
          },
        );
      }
      if (!why) follow({ state: broken() });
    } catch {
      // Whatever broke it, the way on is the same: to connect again, from the last position.
      if (!signal.aborted) follow({ state: broken() });
    } finally {
      clearTimeout(quiet);
      end();
    }
    await pause(why ? refusedPauseMs : pauseOf(tries++), signal);
  }
}

/** Too many pages of the session are live; a proxy speaks HTTP/1.0. */
const refusals = new Set([429, 505]);

const broken = (): LiveState => ({ kind: navigator.onLine ? 'reconnecting' : 'offline' });

/** Has everything read anew. */
export const reset = (reason?: 'signed_out'): LiveEvent => ({ type: 'reset', project_id: null, reason });

const pauseOf = (tries: number): number => pausesMs[tries] ?? (tries < patientTries ? usualPauseMs : longPauseMs);

/** Shorter, if the machine finds its network again. */
function pause(ms: number, signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => {
    const over = AbortSignal.any([signal, AbortSignal.timeout(ms)]);
    if (over.aborted) return resolve(over);
    over.addEventListener('abort', resolve);
    addEventListener('online', resolve, { signal: over });
  });
}
