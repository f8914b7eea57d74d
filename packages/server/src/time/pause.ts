import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves after `ms`, or as soon as `stop` aborts. */
export async function pause(ms: number, stop: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal: stop }).catch(() => undefined);
}
