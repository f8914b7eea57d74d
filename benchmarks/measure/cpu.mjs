import { readdirSync, readFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';

const ticksPerSecond = Number(spawnSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }).stdout) || 100;

/**
 * Returns the CPU seconds of a process, user and kernel, of all its threads, including those that have ended.
 * The resolution is a tick, 10 ms.
 *
 * @param {number} pid
 */
export function cpuSeconds(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  // Field 2 is the name in parentheses, which may contain spaces and parentheses. utime and stime are fields 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/**
 * Returns the CPU milliseconds of the main thread, which answers requests, as exactly as `exactCpuMs`.
 *
 * @param {number} pid
 */
export function mainThreadMs(pid) {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'latin1').split(' ')[0]) / 1e6;
}

/**
 * Returns the CPU milliseconds of all threads of a process that have not ended. Exact to microseconds if they are
 * asleep: for single calls, for which a tick is too coarse.
 *
 * @param {number} pid
 */
export function exactCpuMs(pid) {
  let nanoseconds = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    nanoseconds += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ')[0]);
  }
  return nanoseconds / 1e6;
}
