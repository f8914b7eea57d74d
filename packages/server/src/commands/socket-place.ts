import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import type { Config } from '../config.ts';

/** Longer paths no socket can have on some system; Linux cuts them off without a word. */
const mostPathBytes = 103;

/**
 * Where a server on this storage is told what to do, best place first: a socket in a folder that belongs to this user
 * alone. Where the environments of the server and of whoever calls it differ, one of the places is known to both.
 */
export function socketPaths(storage: Config['storage']): string[] {
  const name = createHash('sha256').update(addressOf(storage)).digest('hex').slice(0, 16);
  if (process.platform === 'win32') return [String.raw`\\.\pipe\service-server-${name}`];
  const uid = process.getuid?.() ?? 0;
  const parents = [process.env.XDG_RUNTIME_DIR ?? '', `/run/user/${uid}`, tmpdir(), '/tmp'];
  return [...new Set(parents.filter(isAbsolute))]
    .map((parent) => join(parent, `service-server-${uid}`, `${name}.sock`))
    .filter((path) => Buffer.byteLength(path) <= mostPathBytes);
}

/** The same however the storage is called: where links lead, and without secrets. */
function addressOf(storage: Config['storage']): string {
  if (typeof storage !== 'string') {
    const { base } = storage.options;
    const options = { ...storage.options, ...(typeof base === 'string' && { base: realPath(base) }) };
    return JSON.stringify([storage.driver, options]);
  }
  const [scheme = '', rest = ''] = storage.split(/:(.*)/s);
  if (!rest.startsWith('//') || /^(file|sqlite)$/.test(scheme)) return `${scheme}:${realPath(rest)}`;
  const { hostname, port, pathname } = new URL(storage);
  return `redis://${hostname}:${port || 6379}/${pathname.slice(1) || 0}`;
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // There is nothing there: then no server is, either.
    return resolve(path);
  }
}

/** Makes the folder of a socket, where `isNew`. Whether it belongs to this user alone: in a folder of all, anybody can make one of its name. */
export function isPrivateFolder(folder: string, isNew: boolean): boolean {
  try {
    if (isNew) mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false;
  }
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return Boolean(found?.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o077) === 0);
}
