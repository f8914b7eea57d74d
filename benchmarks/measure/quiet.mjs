import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSeconds } from './cpu.mjs';

const windowMs = 500;
const maxMs = 120_000;

/**
 * Waits until a process is idle: half a second with at most a tick of CPU. Deferred work, such as compaction, must be
 * counted too.
 *
 * @param {number} pid
 */
export async function quiet(pid) {
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
