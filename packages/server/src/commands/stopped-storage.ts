import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { RestorableDriver } from '../store/log/storage-driver.ts';
import { LockedStorageError } from '../storage/file/file-lock.ts';
import { openFileReader } from '../storage/file/file.ts';
import { isPostgres, openDriver } from '../storage/open-driver.ts';
import { CommandError } from './command-error.ts';

export function isRedis(storage: Config['storage']): boolean {
  return typeof storage === 'string' ? /^rediss?:/.test(storage) : storage.driver === 'redis';
}

/** Returns whether servers on other machines may use the storage. */
export function isRemote(storage: Config['storage']): boolean {
  return isRedis(storage) || isPostgres(storage);
}

/** Throws a `CommandError` for a storage in memory. */
export function assertPersistent(storage: Config['storage'], action: string): void {
  if (storage === 'memory:' || (typeof storage !== 'string' && storage.driver === 'memory'))
    throw new CommandError(
      `memory: ends with its server, so there is nothing to ${action}. Choose a persistent storage with --storage.`,
    );
}

/** Opens an existing storage that no server uses. A mistyped path must not create a new one. */
export async function openStopped(storage: Config['storage']): Promise<RestorableDriver> {
  if (typeof storage === 'string' && !exists(storage))
    throw new CommandError(`There is no storage at ${storage}. Select the right one with --storage.`);
  return isPostgres(storage) ? openUnusedPostgres(storage, { isExisting: true }) : openUnused(storage);
}

/** Opens a storage to read it: a remote one, one that no server uses, or a folder that can't be written. */
export async function openToRead(storage: Config['storage']): Promise<RestorableDriver> {
  if (isRemote(storage)) return openRemoteReader(storage);
  try {
    return await openStopped(storage);
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException;
    if (code !== 'EROFS' || typeof storage !== 'string' || !storage.startsWith('file:')) throw error;
    return openFileReader(storage.slice('file:'.length));
  }
}

/** Opens a remote storage to read it, without becoming its writer: servers on other machines may use the storage. */
async function openRemoteReader(storage: Config['storage']): Promise<RestorableDriver> {
  if (!isPostgres(storage)) return openRedis(storage, { isReader: true });
  const { openPostgresDriver } = await import('../storage/postgres/postgres.ts');
  return openPostgresDriver(storage, { isExisting: true });
}

/** Opens a storage as a server does. Rejects if another process uses the storage. */
export async function openUnused(storage: Config['storage']): Promise<RestorableDriver> {
  try {
    if (isPostgres(storage)) return await openUnusedPostgres(storage);
    return await (isRedis(storage) ? openRedis(storage, { lockTimeoutMs: 0 }) : openDriver(storage));
  } catch (error) {
    if (!(error instanceof LockedStorageError)) throw error;
    throw new CommandError(
      `Process ${error.pid} uses this storage and cannot be reached. Run this as the user who runs that process, or stop it first. ` +
        'If it embeds the server, it accepts commands only after acceptCommands().',
      { cause: error },
    );
  }
}

async function openUnusedPostgres(storage: string, { isExisting = false } = {}): Promise<RestorableDriver> {
  const { openExclusivePostgresDriver } = await import('../storage/postgres/postgres.ts');
  return openExclusivePostgresDriver(storage, { timeoutMs: 0, isExisting });
}

async function openRedis(
  storage: Config['storage'],
  options: { isReader?: boolean; lockTimeoutMs?: number },
): Promise<RestorableDriver> {
  const { openRedisDriver } = await import('../storage/redis/redis.ts');
  return openRedisDriver(typeof storage === 'string' ? { url: storage } : storage.options, options);
}

function exists(storage: string): boolean {
  if (storage.startsWith('file:')) return existsSync(join(storage.slice('file:'.length), 'log'));
  return !storage.startsWith('sqlite:') || existsSync(storage.slice('sqlite:'.length));
}
