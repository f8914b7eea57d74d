import { isStopped, type Client } from './client.ts';
import type { Report } from './report.ts';
import { handleRejection, sendOnce } from './transport.ts';

/** The seconds before each retry. */
const retryDelays = [1, 2];
const maxRetryAfter = 3_600;
const maxWaiting = 20;

/** Sends a report. Retries twice if the server fails or cannot be reached; keeps it while offline. Never rejects. */
export async function sendWithRetry(client: Client, report: Report): Promise<void> {
  for (const delay of [...retryDelays, undefined]) {
    if (client.isEnded || isStopped(client) || client.breaker.isOpen()) return;
    const startedAt = Date.now();
    const { status, retryAfter } = await sendOnce(client, report);
    const hasFailed = status === 0 || status >= 500;
    if (status < 500 && (status > 0 || navigator.onLine)) {
      client.breaker.record(status > 0 && status < 400, startedAt);
    }
    const isLast = !hasFailed || !delay || client.waiting >= maxWaiting;
    if (isLast || status === 0) handleRejection(client, status);
    if (isLast) return;
    client.waiting++;
    client.onWait?.(report, true);
    await waitForRetry(retryAfter ?? delay);
    client.onWait?.(report, false);
    client.waiting--;
  }
}

/** Waits until the browser is online, then for some seconds: it fires `online` a little before the network works. */
async function waitForRetry(seconds: number): Promise<void> {
  if (!navigator.onLine) await new Promise((resolve) => addEventListener('online', resolve, { once: true }));
  await new Promise((resolve) => setTimeout(resolve, Math.min(seconds, maxRetryAfter) * 1_000));
}
