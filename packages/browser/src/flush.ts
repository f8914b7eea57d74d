import { drain } from './capture.ts';
import type { Client } from './client.ts';

/**
 * Resolves with true once every report has a response or is dropped, or with false after `timeoutMs`. Never rejects.
 */
export async function flushClient(client: Client, timeoutMs = 2_000): Promise<boolean> {
  drain(client);
  // Browsers report the unhandled rejections of this task at its end.
  await new Promise((resolve) => setTimeout(resolve));
  drain(client);
  let timer: ReturnType<typeof setTimeout> | undefined;
  // A timer of more than 24 days fires at once.
  const delay = Math.min(timeoutMs, 2 ** 31 - 1);
  const timeout = new Promise((resolve) => (timer = setTimeout(resolve, delay)));
  // Undefined after the time-out.
  const responses = await Promise.race([Promise.all(client.pending), timeout]);
  clearTimeout(timer);
  return !!responses;
}
