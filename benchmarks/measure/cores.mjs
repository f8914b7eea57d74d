import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Pins this process, which produces the load, to one core. Returns the command that pins a server to another core, or
 * an empty command without a second core or `taskset`.
 */
export function separateCores() {
  const cores = allowedCores();
  const [serverCore] = cores;
  const loadCore = cores.at(-1);
  if (cores.length < 2 || spawnSync('taskset', ['--version']).status !== 0) {
    console.error('No second core or no taskset: server and load share one core.');
    return [];
  }
  spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', String(loadCore), String(process.pid)]);
  return ['taskset', '--cpu-list', String(serverCore)];
}

function allowedCores() {
  const list = /^Cpus_allowed_list:\s+(\S+)$/m.exec(readFileSync('/proc/self/status', 'latin1'))?.[1] ?? '0';
  return list.split(',').flatMap((range) => {
    const [first, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, at) => first + at);
  });
}
