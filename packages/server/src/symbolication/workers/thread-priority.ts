import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';

/** A thread or process with this scheduling priority gets a tenth of a core that the event loop uses, too. */
export const backgroundNiceness = 10;

/**
 * Lowers the priority of the current thread, so that requests come first where threads share a core. Only Linux has
 * priorities of single threads; elsewhere nothing happens.
 */
export function lowerThreadPriority(): void {
  try {
    const threadId = readlinkSync('/proc/thread-self').split('/').at(-1);
    setPriority(Number(threadId), backgroundNiceness);
  } catch {
    // The thread works without it.
    return;
  }
}
