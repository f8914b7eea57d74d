import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { RestorableDriver } from '../store/log/driver.ts';
import { LockedStorageError } from '../storage/file/file-lock.ts';
import { openDriver } from '../storage/open-driver.ts';
import { CommandError } from './command-error.ts';

export function isRedis(storage: Config['storage']): boolean {
  return typeof storage === 'string' ? /^rediss?:/.test(storage) : storage.driver === 'redis';
}

/** There is nothing that a command could work on. */
export function refuseMemory(storage: Config['storage'], what: string): void {
  if (storage === 'memory:' || (typeof storage !== 'string' && storage.driver === 'memory'))
    throw new CommandError(
      `memory: ends with its server: there is nothing to ${what}. Choose a storage that lasts (--storage).`,
    );
}

/** Opens a storage on which no server runs, and that is there: a mistyped path must not make a new one. */
export async function openStopped(storage: Config['storage']): Promise<RestorableDriver> {
  if (typeof storage === 'string' && !isThere(storage))
    throw new CommandError(`There is no storage at ${storage}. Name the one that is meant with --storage.`);
  return openUnused(storage);
}

/** Opens a Redis without writing to it: servers on other machines may. */
export function openReader(storage: Config['storage']): Promise<RestorableDriver> {
  return openRedis(storage, { isReader: true });
}

/** Opens a storage, as a server would, unless one does. */
export async function openUnused(storage: Config['storage']): Promise<RestorableDriver> {
  try {
    return await (isRedis(storage) ? openRedis(storage, { patienceMs: 0 }) : openDriver(storage));
  } catch (error) {
    if (!(error instanceof LockedStorageError)) throw error;
    throw new CommandError(
      `Process ${error.pid} uses this storage and can't be reached. Run this as the user who runs that server, or stop it first.`,
      { cause: error },
    );
  }
}

async function openRedis(
  storage: Config['storage'],
  how: { isReader?: boolean; patienceMs?: number },
): Promise<RestorableDriver> {
  const { openRedisDriver } = await import('../storage/redis/redis.ts');
  return openRedisDriver(typeof storage === 'string' ? { url: storage } : storage.options, how);
}

function isThere(storage: string): boolean {
  if (storage.startsWith('file:')) return existsSync(join(storage.slice('file:'.length), 'log'));
  return !storage.startsWith('sqlite:') || existsSync(storage.slice('sqlite:'.length));
}
