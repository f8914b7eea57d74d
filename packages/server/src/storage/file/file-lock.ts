import { readFileSync } from 'node:fs';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isListenedBeside, listenBeside, pidNamespace } from './lock-socket.ts';

/** Another process works on the same data. */
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
  /** When the process began, in the system's own terms, so that a later process of the same number is told apart. */
  began: string | null;
  /** Where that number is one. */
  namespace: string | null;
}

/**
 * Takes the lock of a data folder: two servers that append to one log would ruin it. A lock whose owner is dead holds nobody.
 * Resolves with the function that gives it back.
 */
export function lockFolder(folder: string): Promise<() => Promise<void>> {
  return lockFile(join(folder, 'lock'), folder);
}

/** The same by a file of any name. `what` it locks is told to whoever comes second. */
export async function lockFile(path: string, what: string): Promise<() => Promise<void>> {
  const namespace = pidNamespace();
  const mine = JSON.stringify({ pid: process.pid, began: beganAt(process.pid), namespace } satisfies Owner);
  // Written whole under another name first: a lock is never seen half written.
  const transaction = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  await writeFile(transaction, mine);
  try {
    for (;;) {
      if (await linked(transaction, path)) break;
      const found = await readFile(path, 'utf8').catch(() => null);
      if (found === null) continue;
      const owner = parseOwner(found);
      const isForeign = owner?.namespace && namespace && owner.namespace !== namespace;
      if (owner && (isForeign ? await isListenedBeside(path) : isAlive(owner)))
        throw new LockedStorageError(what, owner.pid);
      await removeDeadLock(path, `${transaction}.dead`, found);
    }
  } finally {
    await rm(transaction, { force: true });
  }
  const endListening = namespace === null ? null : await listenBeside(path);
  return async () => {
    endListening?.();
    if ((await readFile(path, 'utf8').catch(() => null)) === mine) await rm(path, { force: true });
  };
}

/** Links only where nothing stands: of two that try, one succeeds. */
async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Moves the lock aside and looks again: in between, another server may have taken the dead one's place. */
async function removeDeadLock(path: string, aside: string, dead: string): Promise<void> {
  try {
    await rename(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  if ((await readFile(aside, 'utf8')) !== dead) await linked(aside, path);
  await rm(aside, { force: true });
}

function parseOwner(text: string): Owner | null {
  try {
    const owner = JSON.parse(text) as Owner;
    return Number.isSafeInteger(owner.pid) ? owner : null;
  } catch {
    // Not a lock that we wrote: nobody holds it.
    return null;
  }
}

function isAlive({ pid, began }: Owner): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it lives, as somebody else's.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const now = beganAt(pid);
  return now !== 'ended' && (began === null || now === null || began === now);
}

/** Linux tells when a process began; elsewhere the number alone has to do. Of a process that has ended, `ended`. */
function beganAt(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command's name, in parentheses, may hold anything; behind it stand the state and, 20th, the start time.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie is only waiting for its parent to look.
    return /[ZX]/.test(fields[0] ?? '') ? 'ended' : (fields[19] ?? null);
  } catch {
    return null;
  }
}
