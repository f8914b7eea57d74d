import { attempt } from './attempt.ts';
import type { Client } from './client.ts';
import { flushClient } from './flush.ts';

/** Removes every hook and sends what was captured. Resolves like `flushClient()`; then nothing more is sent. */
export async function closeClient(client: Client, timeoutMs?: number): Promise<boolean> {
  client.isClosed = true;
  for (const teardown of client.teardowns.splice(0)) attempt(teardown);
  const isDone = await flushClient(client, timeoutMs);
  client.isEnded = true;
  return isDone;
}
