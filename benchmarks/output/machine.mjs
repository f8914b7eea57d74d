import { execFileSync } from 'node:child_process';
import { statfsSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';

const tmpfs = 0x01021994;

/** Describes the machine: figures mean little without it. */
export function machine() {
  const inMemory = statfsSync(tmpdir()).type === tmpfs;
  if (inMemory) {
    console.error(`${tmpdir()} is kept in memory, where syncing costs nothing. Set TMPDIR to a folder on a disk.`);
  }
  return {
    at: new Date().toISOString(),
    commit: commit(),
    node: process.version,
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 1e9),
    storageInMemory: inMemory,
  };
}

function commit() {
  try {
    const changed = git('status', '--porcelain', '--', '../../packages') !== '';
    return git('rev-parse', '--short', 'HEAD') + (changed ? ' with changes' : '');
  } catch {
    // Not a clone: the figures have no commit.
    return 'unknown';
  }
}

/** @param {string[]} args */
function git(...args) {
  return execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' }).trim();
}
