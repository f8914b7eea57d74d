import { readFileSync } from 'node:fs';

/**
 * Returns the resident memory of a process, in MB (10^6 bytes).
 *
 * @param {number} pid
 */
export function residentMb(pid) {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
  return (Number(kib) * 1_024) / 1e6;
}

/**
 * Watches the resident memory of a process; `stop` returns its maximum.
 *
 * @param {number} pid
 */
export function watchMemory(pid) {
  let maxMb = residentMb(pid);
  const timer = setInterval(() => (maxMb = Math.max(maxMb, residentMb(pid))), 50);
  return {
    stop() {
      clearInterval(timer);
      return maxMb;
    },
  };
}
