import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSeconds } from './cpu.mjs';

const windowMs = 500;
const mostMs = 120_000;

/**
 * Waits until a process has nothing left to do: half a second with at most a tick of CPU. What it puts off, such as
 * compaction, has to be counted too.
 *
 * @param {number} pid
 */
export async function quiet(pid) {
  const late = performance.now() + mostMs;
  let before = cpuSeconds(pid);
  for (;;) {
    await sleep(windowMs);
    const now = cpuSeconds(pid);
    if (now - before < 0.015) return;
    if (performance.now() > late) throw new Error(`Process ${pid} is still busy after ${mostMs / 1_000} s.`);
    before = now;
  }
}
