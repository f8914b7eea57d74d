import { sleep } from './sleep.ts';

/** The time in which the SDK must send what it has captured. A test must not wait longer. */
const maxFlushMs = 1_000;

/** Sends what the SDK of the app has captured. Waits a second at most, because fake timers may stop the SDK. */
export async function flushSdk(): Promise<void> {
  const sdk = await import('@service/browser').catch(() => null);
  if (sdk) await Promise.race([sdk.flush(maxFlushMs), sleep(maxFlushMs)]);
}

/** Removes the hooks of the SDK and lets it send again after a 401 or 429, as a new page would. */
export async function resetSdk(): Promise<void> {
  const testing = await import('@service/browser/testing').catch(() => null);
  if (testing) await Promise.race([testing.resetServiceSDK(), sleep(maxFlushMs)]);
}
