import { drain } from './capture.ts';
import type { Client } from './client.ts';
import { attempt } from './guard.ts';

/** Resolves with true once every report has a response, or with false after `timeoutMs`. Never rejects. */
export async function flushClient(client: Client, timeoutMs = 2_000): Promise<boolean> {
  drain(client);
  // Browsers report the unhandled rejections of this task at its end.
  await new Promise((resolve) => setTimeout(resolve));
  drain(client);
  let timer: ReturnType<typeof setTimeout> | undefined;
  // A timer of more than 24 days fires at once.
  const delay = Math.min(timeoutMs, 2 ** 31 - 1);
  const timeout = new Promise<false>((resolve) => (timer = setTimeout(() => resolve(false), delay)));
  const isDone = await Promise.race([Promise.all(client.pending).then(() => true), timeout]);
  clearTimeout(timer);
  return isDone;
}

/** Removes every hook and sends what was captured. Resolves like `flushClient()`; then nothing more is sent. */
export async function closeClient(client: Client, timeoutMs?: number): Promise<boolean> {
  for (const teardown of client.teardowns.splice(0)) attempt(teardown);
  const isDone = await flushClient(client, timeoutMs);
  client.isEnded = true;
  return isDone;
}
