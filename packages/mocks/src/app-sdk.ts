import { sleep } from './sleep.ts';

/** A test must not wait longer for what the SDK has yet to send. */
const maxFlushMs = 1_000;

/** Sends what the SDK of the app has captured. Fake timers may keep it from that, so it gets a limited time. */
export async function flushSdk(): Promise<void> {
  const sdk = await import('@service/browser').catch(() => null);
  if (sdk) await Promise.race([sdk.flush(maxFlushMs), sleep(maxFlushMs)]);
}

/** Removes the hooks of the SDK and lets it send again after a 401 or 429, as a new page would. */
export async function resetSdk(): Promise<void> {
  const testing = await import('@service/browser/testing').catch(() => null);
  if (testing) await Promise.race([testing.resetServiceSDK(), sleep(maxFlushMs)]);
}
