import { parseEventStream } from './parse-event-stream.ts';
import { resetEvent, type LiveEvent, type LiveState, type UpdateListener } from './stream-update.ts';

/** The server sends a heartbeat every 15 seconds. */
const maxSilenceMs = 40_000;
/** Events that arrive this soon after a reconnect count as replayed. */
const replayMs = 400;
const firstRetryPausesMs = [200, 500];
const retryPauseMs = 1_000;
const slowRetryPauseMs = 5_000;
const maxQuickRetries = 60;
/** A rejected stream is tried again at this interval. Each rejection loads the data again. */
const rejectedPauseMs = 10_000;

/**
 * Follows the live stream until the signal is aborted or the session has ended (401), starting at a position if one is
 * given. Reconnects after a failure. Uses `fetch`, because EventSource reports neither why a stream is rejected nor the
 * positions in heartbeats.
 */
export async function followStream(from: string | null, onUpdate: UpdateListener, signal: AbortSignal): Promise<void> {
  let position = from;
  let isFirst = true;
  let retries = 0;
  while (!signal.aborted) {
    const connection = new AbortController();
    const disconnect = (): void => connection.abort();
    const ended = AbortSignal.any([signal, connection.signal]);
    // A connection whose network is gone would stay silent until its timeout.
    addEventListener('offline', disconnect, { signal: ended });
    let silence = setTimeout(disconnect, maxSilenceMs);
    let rejectedWith = 0;
    try {
      const query = position === null ? '' : `?last_event_id=${encodeURIComponent(position)}`;
      const response = await fetch(`/api/v1/stream${query}`, { signal: ended });
      if (response.status === 401) return onUpdate({ event: resetEvent('signed_out') });
      rejectedWith = rejectionStatuses.has(response.status) ? response.status : 0;
      if (rejectedWith) {
        onUpdate({ state: { kind: 'stopped', status: rejectedWith } });
        onUpdate({ event: resetEvent() });
      }
      if (response.ok && response.body) {
        retries = 0;
        const replayEnds = isFirst ? 0 : performance.now() + replayMs;
        isFirst = false;
        let missed = 0;
        // Without a position the server replays nothing, so everything has to be loaded again.
        if (position === null) onUpdate({ event: resetEvent() });
        onUpdate({ state: { kind: 'live', missed } });
        await parseEventStream(
          response.body,
          (id) => {
            clearTimeout(silence);
            silence = setTimeout(disconnect, maxSilenceMs);
            if (id !== null && id !== position) onUpdate({ position: (position = id) });
          },
          (data) => {
            const event = JSON.parse(data) as LiveEvent;
            if (performance.now() < replayEnds && event.type !== 'usage.updated')
              onUpdate({ state: { kind: 'live', missed: ++missed } });
            onUpdate({ event });
          },
        );
      }
      if (!rejectedWith) onUpdate({ state: disconnectedState() });
    } catch {
      // Every failure is handled alike: reconnect at the last position.
      if (!signal.aborted) onUpdate({ state: disconnectedState() });
    } finally {
      clearTimeout(silence);
      disconnect();
    }
    await pause(rejectedWith ? rejectedPauseMs : retryPause(retries++), signal);
  }
}

/** 429: a limit of live streams is reached. 505: a proxy uses HTTP/1.0. */
const rejectionStatuses = new Set([429, 505]);

const disconnectedState = (): LiveState => ({ kind: navigator.onLine ? 'reconnecting' : 'offline' });

const retryPause = (retries: number): number =>
  firstRetryPausesMs[retries] ?? (retries < maxQuickRetries ? retryPauseMs : slowRetryPauseMs);

/** Resolves after the time, or earlier when the signal aborts or the machine is online again. */
function pause(ms: number, signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => {
    const over = AbortSignal.any([signal, AbortSignal.timeout(ms)]);
    if (over.aborted) return resolve(over);
    over.addEventListener('abort', resolve);
    addEventListener('online', resolve, { signal: over });
  });
}
