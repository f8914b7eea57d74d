import { attempt } from './attempt.ts';
import { isStopped, type Send } from './client.ts';
import { handleStatus, sendOnce } from './transport.ts';
import { consolePrefix } from './warn.ts';

/** The time before each retry. The last attempt is not retried. */
const retryDelaysMs = [1_000, 2_000, undefined];
const maxWaitMs = 3_600_000;
export const maxWaitingReports = 20;
/**
 * The circuit breaker: nothing is sent for a minute after three requests in a row that were rejected or got no
 * response (5xx and offline do not count).
 */
const maxFailures = 3;
const pauseMs = 60_000;

/**
 * Returns a function that sends a report. It retries twice if the server fails or cannot be reached, and holds reports
 * while offline. With the option `debug`, it prints each report that it sends.
 */
export function createSendWithRetry(): Send {
  /** The number of reports that wait for a retry. */
  let waiting = 0;
  let failures = 0;
  let failedAt = 0;

  return async (client, report) => {
    for (const delayMs of retryDelaysMs) {
      const failuresBefore = failures;
      // The clock may be set back.
      if (isStopped(client) || (failures >= maxFailures && Math.abs(Date.now() - failedAt) < pauseMs)) return;
      if (client.settings.debug) console.debug(consolePrefix, report);
      const { status, headers } = await sendOnce(client, report);
      const isTemporary = status >= 500 || (!status && !navigator.onLine);
      if (status < 400 && status) failures = 0;
      // Concurrent requests that fail count as one failure.
      else if (!isTemporary && failures === failuresBefore) {
        failures++;
        failedAt = Date.now();
      }

      const canRetry = (status >= 500 || !status) && waiting < maxWaitingReports && delayMs;
      if (!canRetry) return handleStatus(client, status);
      if (!status) handleStatus(client, status);

      waiting++;
      client.onWait?.(report, true);
      const retryAfterMs = Number(attempt(() => headers?.get('Retry-After'))) * 1_000 || 0;
      await waitForRetry(Math.min(maxWaitMs, Math.max(delayMs, retryAfterMs)));
      client.onWait?.(report, false);
      waiting--;
    }
  };
}

/** Waits until the browser is online, then for some time: it fires `online` a little before the network works. */
async function waitForRetry(waitMs: number): Promise<void> {
  if (!navigator.onLine) await new Promise((resolve) => addEventListener('online', resolve, { once: true }));
  await new Promise((resolve) => setTimeout(resolve, waitMs));
}
