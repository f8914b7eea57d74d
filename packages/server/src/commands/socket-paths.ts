import { createHash, randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import type { Config } from '../config.ts';

/** Longer socket paths are invalid on some systems; Linux truncates them without an error. */
const maxPathBytes = 103;

const extension = '.sock';

/**
 * Returns the possible paths of the control socket of a storage, preferred path first. There are several, because the
 * environments of server and command may differ. Except on Windows, each is in a folder that must belong to this user
 * alone: see `isPrivateFolder`.
 */
export async function socketPaths(storage: Config['storage']): Promise<string[]> {
  const name = createHash('sha256')
    .update(await canonicalAddress(storage))
    .digest('hex')
    .slice(0, 16);
  if (process.platform === 'win32') return [String.raw`\\.\pipe\service-server-${name}`];
  const uid = process.getuid?.() ?? 0;
  const parents = [process.env.XDG_RUNTIME_DIR ?? '', `/run/user/${uid}`, tmpdir(), '/tmp'];
  return [...new Set(parents.filter(isAbsolute))]
    .map((parent) => join(parent, `service-server-${uid}`, `${name}${extension}`))
    .filter((path) => Buffer.byteLength(path) <= maxPathBytes);
}

/**
 * Returns a path next to that of the control socket, for one more server on the same storage. Throws if the path would
 * be too long.
 */
export function pathOfAnotherServer(path: string): string {
  const other = `${path.slice(0, -extension.length)}-${randomBytes(4).toString('hex')}${extension}`;
  if (Buffer.byteLength(other) > maxPathBytes) throw new Error('The path of the control socket is too long.');
  return other;
}

/** Returns the paths of all control sockets in the folder of `path` that belong to its storage. */
export function pathsOfServers(path: string): string[] {
  if (process.platform === 'win32') return [path];
  const folder = dirname(path);
  const name = basename(path, extension);
  return readdirSync(folder)
    .filter((file) => file.startsWith(name) && file.endsWith(extension))
    .map((file) => join(folder, file))
    .toSorted();
}

/**
 * Normalizes the address of a storage, so that other spellings of it give the same socket: resolves links, and removes
 * the credentials and the query of a URL.
 */
async function canonicalAddress(storage: Config['storage']): Promise<string> {
  if (typeof storage !== 'string') {
    const { base } = storage.options;
    const options = { ...storage.options, ...(typeof base === 'string' && { base: realPath(base) }) };
    return JSON.stringify([storage.driver, options]);
  }
  const [scheme = '', rest = ''] = storage.split(/:(.*)/s);
  if (!rest.startsWith('//') || /^(file|sqlite)$/.test(scheme)) return `${scheme}:${realPath(rest)}`;
  if (scheme.startsWith('postgres')) {
    // Other servers do not load it.
    const { postgresDatabase } = await import('../storage/postgres/postgres-address.ts');
    return postgresDatabase(storage);
  }
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

/** Creates the folder if it does not exist. Returns whether it belongs to this user alone. */
export function ensurePrivateFolder(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false;
  }
  return isPrivateFolder(folder);
}

/** Returns whether the folder belongs to this user alone. In a shared parent folder, any user can create it. */
export function isPrivateFolder(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return Boolean(found?.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o077) === 0);
}
