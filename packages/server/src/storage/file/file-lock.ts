import { readFileSync } from 'node:fs';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasListeningOwner, openLockSocket, pidNamespace } from './lock-socket.ts';

/** Thrown if another process uses the same data. */
export class LockedStorageError extends Error {
  override readonly name = 'LockedStorageError';
  readonly pid: number;

  constructor(path: string, pid: number) {
    super(
      `${path} is in use by process ${pid}. Stop that server first, or choose another storage (--storage, SERVICE_STORAGE).`,
    );
    this.pid = pid;
  }
}

interface Owner {
  pid: number;
  /** Start time of the process, in units of the system. It distinguishes a later process with the same id. */
  began: string | null;
  /** The PID namespace in which `pid` is valid. */
  namespace: string | null;
}

/**
 * Locks a data folder, because two servers that append to one log would destroy it. A lock whose owner is dead is
 * replaced. Resolves with a function that releases the lock. Rejects with a `LockedStorageError` if the owner is alive.
 */
export function lockFolder(folder: string): Promise<() => Promise<void>> {
  return lockFile(join(folder, 'lock'), folder);
}

/** Works like `lockFolder` with a lock file of any name. `locked` is the path that the error names. */
export async function lockFile(path: string, locked: string): Promise<() => Promise<void>> {
  const namespace = pidNamespace();
  const mine = JSON.stringify({ pid: process.pid, began: startTimeOf(process.pid), namespace } satisfies Owner);
  // Write the complete file under another name first, so that no process reads half a lock.
  const candidate = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  await writeFile(candidate, mine);
  try {
    for (;;) {
      if (await linkIfAbsent(candidate, path)) break;
      const found = await readFile(path, 'utf8').catch(() => null);
      if (found === null) continue;
      const owner = parseOwner(found);
      const isForeign = owner?.namespace && namespace && owner.namespace !== namespace;
      if (owner && (isForeign ? await hasListeningOwner(path) : isAlive(owner)))
        throw new LockedStorageError(locked, owner.pid);
      await removeDeadLock(path, `${candidate}.dead`, found);
    }
  } finally {
    await rm(candidate, { force: true });
  }
  const closeSocket = namespace === null ? null : await openLockSocket(path);
  return async () => {
    closeSocket?.();
    if ((await readFile(path, 'utf8').catch(() => null)) === mine) await rm(path, { force: true });
  };
}

/** Creates the link unless `to` exists. If two processes try at the same time, exactly one succeeds. */
async function linkIfAbsent(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Removes a dead lock. Moves it aside and reads it again first, because another server may have replaced it since. */
async function removeDeadLock(path: string, aside: string, dead: string): Promise<void> {
  try {
    await rename(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  if ((await readFile(aside, 'utf8')) !== dead) await linkIfAbsent(aside, path);
  await rm(aside, { force: true });
}

function parseOwner(text: string): Owner | null {
  try {
    const owner = JSON.parse(text) as Owner;
    return Number.isSafeInteger(owner.pid) ? owner : null;
  } catch {
    // This server did not write the file, so it is not a held lock.
    return null;
  }
}

function isAlive({ pid, began }: Owner): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM means that the process is alive and belongs to another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const now = startTimeOf(pid);
  return now !== 'ended' && (began === null || now === null || began === now);
}

/**
 * Returns the start time of a process, or `ended` if it is a zombie. Returns null if the start time cannot be read, as
 * on systems without `/proc`.
 */
function startTimeOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the command is in parentheses and can contain any text. Field 1 after it is the state, field 20 the
    // start.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie has ended and only waits for its parent to read its status.
    return /[ZX]/.test(fields[0] ?? '') ? 'ended' : (fields[19] ?? null);
  } catch {
    return null;
  }
}
