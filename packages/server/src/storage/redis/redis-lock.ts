import type { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import { UnusableStorageError } from '../../store/log/storage-errors.ts';

/** The parts of the name that a server gives its Redis connections: `<storage>:<process>`. */
export interface ConnectionNames {
  /** The same for all servers of this storage. */
  storage: string;
  /** Unique to this process. */
  process: string;
}

/** The process name of connections that only read. They need no lock. */
export const readerProcess = 'reader';

/** The interval in which a server uses its connections, and the silence after which others consider it dead. */
export interface Heartbeat {
  intervalMs: number;
  maxSilenceMs: number;
}

const lockRetryMs = 500;

/**
 * The lock of the one server that may write to a storage. A key contains the name of the holder and never expires, so
 * Redis keeps or loses the lock together with the data. If another server acquires the lock while the holder is paused,
 * the holder finds another name in the key. Whether the holder is alive is determined from its connections: they have
 * its name, and a heartbeat keeps them active.
 */
export class RedisLock {
  readonly #redis: Redis;
  readonly #key: string;
  readonly #self: ConnectionNames;
  readonly #heartbeat: Heartbeat;
  /** The address of the storage, for error messages. */
  readonly #name: string;

  constructor(redis: Redis, key: string, self: ConnectionNames, heartbeat: Heartbeat, name: string) {
    this.#redis = redis;
    this.#key = key;
    this.#self = self;
    this.#heartbeat = heartbeat;
    this.#name = name;
  }

  /**
   * Acquires the lock as soon as no live server holds it. Rejects with an `UnusableStorageError` if that takes longer
   * than `timeoutMs`.
   */
  async acquire(timeoutMs: number): Promise<void> {
    for (let left = timeoutMs / lockRetryMs; !(await this.#tryToAcquire()); left--) {
      if (left <= 0) throw this.#usedByAnother('Only one server can use a storage.');
      await sleep(lockRetryMs);
    }
  }

  /**
   * Rejects with an `UnusableStorageError` if another server holds the lock, or if Redis no longer has the `written`
   * keys. Without these, Redis has returned to an earlier state, and the next write would follow a gap. Acquires the
   * lock if only its key is lost.
   */
  async assertHeld(written: readonly string[]): Promise<void> {
    const [owner, found] = await Promise.all([
      this.#redis.get(this.#key),
      written.length > 0 ? this.#redis.exists(...written) : 0,
    ]);
    if (owner !== null && owner !== this.#self.process) throw this.#lockLost();
    if (found < written.length) throw this.writesLost();
    if (owner === null && (await this.#redis.set(this.#key, this.#self.process, 'NX')) === null) throw this.#lockLost();
  }

  /** Rejects with an `UnusableStorageError` if another server is alive, even if it only waits for the lock. */
  async assertNoOtherServer(): Promise<void> {
    const others = (await this.#connections())?.filter(
      ({ process }) => ![this.#self.process, readerProcess].includes(process),
    );
    if (others?.some((other) => this.#isAlive(other))) throw this.#usedByAnother('Stop all of them first.');
  }

  /**
   * Closes all other connections of this process. Does nothing if Redis does not let a client list or close
   * connections.
   */
  async killOwnConnectionsExcept(connection: number): Promise<void> {
    const own = await this.#connections(this.#self.process);
    await this.#closeConnections(own?.filter(({ id }) => id !== connection) ?? []);
  }

  async #tryToAcquire(): Promise<boolean> {
    await this.#redis.watch(this.#key);
    const owner = await this.#redis.get(this.#key);
    const seen = (await this.#connections(owner)) ?? [];
    if (seen.some((connection) => this.#isAlive(connection)) || !(await this.#closeConnections(seen))) {
      await this.#redis.unwatch();
      return false;
    }
    // If two servers get here, `WATCH` makes the transaction of one fail.
    const replies = await this.#redis.multi().set(this.#key, this.#self.process).exec();
    if (replies === null) return false;
    for (const [error] of replies) if (error) throw error;
    // The previous holder may have reconnected in between. If it reconnects from now on, it checks the key before it
    // writes.
    const reconnected = await this.#connections(owner);
    const isClosed = reconnected !== null && (await this.#closeConnections(reconnected));
    // If Redis does not let us list or close connections, wait until a live holder has checked the key.
    if (owner !== null && !isClosed) await sleep(2 * this.#heartbeat.intervalMs);
    return true;
  }

  #isAlive({ idleMs }: Connection): boolean {
    return idleMs <= this.#heartbeat.maxSilenceMs;
  }

  /**
   * Resolves with the connections of all servers of this storage, or of one process. Resolves with null if Redis does
   * not list them; then the operator must ensure that there is only one server. The list is also useless if it does not
   * contain this process: Redis forbids names, or a proxy uses separate connections.
   */
  async #connections(process?: string | null): Promise<Connection[] | null> {
    const list = await this.#redis.client('LIST').catch(nullIfReplyError);
    if (list === null) return null;
    const all = String(list)
      .split('\n')
      .map((line) => new Map(line.split(' ').map((field) => field.split(/=(.*)/s) as [string, string])))
      .filter((client) => client.get('db') === String(this.#redis.options.db ?? 0))
      .filter((client) => client.get('name')?.startsWith(`${this.#self.storage}:`))
      .map((client) => ({
        id: Number(client.get('id')),
        process: client.get('name')?.slice(this.#self.storage.length + 1) ?? '',
        idleMs: Number(client.get('idle')) * 1_000,
      }));
    if (!all.some((connection) => connection.process === this.#self.process)) return null;
    return all.filter((connection) => process === undefined || connection.process === process);
  }

  /** Closes connections: Redis no longer reads pending commands on them. Resolves with false if Redis forbids it. */
  async #closeConnections(connections: readonly Connection[]): Promise<boolean> {
    for (const { id } of connections)
      if ((await this.#redis.client('KILL', 'ID', id).catch(nullIfReplyError)) === null) return false;
    return true;
  }

  writesLost(): UnusableStorageError {
    return new UnusableStorageError(
      `${this.#name} has lost its last writes. Restart this server to read the remaining data.`,
    );
  }

  #lockLost(): UnusableStorageError {
    return this.#usedByAnother(
      'It started while this server was paused or disconnected. This server no longer writes.',
    );
  }

  #usedByAnother(advice: string): UnusableStorageError {
    return new UnusableStorageError(`${this.#name} is used by another server. ${advice}`);
  }
}

interface Connection {
  id: number;
  process: string;
  /** Milliseconds since the last command. */
  idleMs: number;
}

/** Returns whether Redis rejected the command. Such a command had no effect. */
export function isReplyError(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError';
}

/** Returns null if Redis rejected the command, because hosted services forbid many. Rethrows other errors. */
export function nullIfReplyError(error: unknown): null {
  if (isReplyError(error)) return null;
  throw error;
}
