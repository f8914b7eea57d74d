import { readFileSync } from 'node:fs';

/**
 * Resident memory of a process, in MB (10^6 bytes).
 *
 * @param {number} pid
 */
export function residentMb(pid) {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
  return (Number(kib) * 1_024) / 1e6;
}

/**
 * Watches the resident memory of a process; `stop` tells the most it has had.
 *
 * @param {number} pid
 */
export function watchMemory(pid) {
  let mostMb = residentMb(pid);
  const timer = setInterval(() => (mostMb = Math.max(mostMb, residentMb(pid))), 50);
  return {
    stop() {
      clearInterval(timer);
      return mostMb;
    },
  };
}
