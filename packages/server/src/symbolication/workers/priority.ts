import { constants, getPriority, setPriority } from 'node:os';

/** How much lower the scheduling priority of background work is: on a busy core, it gets about a tenth of the time. */
export const backgroundNiceness = 10;

/** Lowers the priority of a process. Not every system allows it, and the process works without it. */
export function lowerPriority(pid: number, niceness: number): void {
  try {
    setPriority(pid, Math.min(constants.priority.PRIORITY_LOW, getPriority(pid) + niceness));
  } catch {
    return;
  }
}

/**
 * Lowers the priority of the current thread. Only Linux has a priority per thread; there the id 0 means the current
 * thread: see setpriority(2). Does nothing on other systems.
 */
export function lowerThreadPriority(): void {
  if (process.platform === 'linux') lowerPriority(0, backgroundNiceness);
}
