import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import type { Config } from '../config.ts';

/** Longer socket paths are invalid on some systems; Linux truncates them without an error. */
const maxPathBytes = 103;

/**
 * Returns the possible paths of the control socket of a storage, preferred path first. Each is in a folder of this user
 * alone. There are several, because the environments of server and command may differ.
 */
export function socketPaths(storage: Config['storage']): string[] {
  const name = createHash('sha256').update(canonicalAddress(storage)).digest('hex').slice(0, 16);
  if (process.platform === 'win32') return [String.raw`\\.\pipe\service-server-${name}`];
  const uid = process.getuid?.() ?? 0;
  const parents = [process.env.XDG_RUNTIME_DIR ?? '', `/run/user/${uid}`, tmpdir(), '/tmp'];
  return [...new Set(parents.filter(isAbsolute))]
    .map((parent) => join(parent, `service-server-${uid}`, `${name}.sock`))
    .filter((path) => Buffer.byteLength(path) <= maxPathBytes);
}

/** Returns the same address for all spellings of a storage: with links resolved, and without credentials. */
function canonicalAddress(storage: Config['storage']): string {
  if (typeof storage !== 'string') {
    const { base } = storage.options;
    const options = { ...storage.options, ...(typeof base === 'string' && { base: realPath(base) }) };
    return JSON.stringify([storage.driver, options]);
  }
  const [scheme = '', rest = ''] = storage.split(/:(.*)/s);
  if (!rest.startsWith('//') || /^(file|sqlite)$/.test(scheme)) return `${scheme}:${realPath(rest)}`;
  if (scheme.startsWith('postgres')) return `postgres://${rest.replace(/^\/\/([^@/]*@)?|\?.*$/g, '')}`;
  const { hostname, port, pathname } = new URL(storage);
  return `redis://${hostname}:${port || 6379}/${pathname.slice(1) || 0}`;
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // The path does not exist, so no server uses it.
    return resolve(path);
  }
}

/**
 * Returns whether the folder belongs to this user alone, after creating it if `isNew`. In a shared parent folder, any
 * user can create a folder of this name.
 */
export function isPrivateFolder(folder: string, isNew: boolean): boolean {
  try {
    if (isNew) mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false;
  }
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return Boolean(found?.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o077) === 0);
}
