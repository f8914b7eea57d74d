import { createCircuitBreaker } from './circuit-breaker.ts';
import { isStopped, type Client, type Send } from './client.ts';
import { attempt } from './guard.ts';
import { handleRejection, sendOnce } from './transport.ts';

/** The seconds before each retry. The last try has no retry. */
const retryDelays = [1, 2, undefined];
const maxRetryAfter = 3_600;
const maxWaiting = 20;

/** Retries twice if the server fails or cannot be reached; keeps reports while offline. */
export function createRetryingSend(client: Client): Send {
  const breaker = createCircuitBreaker();
  /** The number of reports that wait for a retry. */
  let waiting = 0;

  return async (report) => {
    for (const delay of retryDelays) {
      if (client.isEnded || isStopped(client) || breaker.isOpen()) return;
      const startedAt = Date.now();
      const { status, headers } = await sendOnce(client, report);
      const isServerError = status >= 500;
      const isOffline = status === 0 && !navigator.onLine;
      if (!isServerError && !isOffline) breaker.record(status > 0 && status < 400, startedAt);

      const isLast = !delay || waiting >= maxWaiting;
      if (isLast || !isServerError) handleRejection(client, status);
      if (isLast || (status > 0 && !isServerError)) return;

      waiting++;
      client.onWait?.(report, true);
      const retryAfter = Number(attempt(() => headers?.get('Retry-After'))) || delay;
      await waitForRetry(Math.min(retryAfter, maxRetryAfter));
      client.onWait?.(report, false);
      waiting--;
    }
  };
}

/** Waits until the browser is online, then for some seconds: it fires `online` a little before the network works. */
async function waitForRetry(seconds: number): Promise<void> {
  if (!navigator.onLine) await new Promise((resolve) => addEventListener('online', resolve, { once: true }));
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
}
