import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSeconds } from './cpu.mjs';

const maxMs = 120_000;

/** Our server compacts its log once nothing was written for 1.5 seconds, which it checks every second. */
export const deferredWorkMs = 3_000;

/**
 * Waits until a process is idle: for `windowMs` it has used at most a tick of CPU. With `deferredWorkMs`, its deferred
 * work is done too. Rejects if the process is still busy after two minutes.
 *
 * @param {number} pid
 */
export async function waitUntilIdle(pid, windowMs = 500) {
  const late = performance.now() + maxMs;
  let before = cpuSeconds(pid);
  for (;;) {
    await sleep(windowMs);
    const now = cpuSeconds(pid);
    if (now - before < 0.015) return;
    if (performance.now() > late) throw new Error(`Process ${pid} is still busy after ${maxMs / 1_000} s.`);
    before = now;
  }
}
