import type { Redis } from 'ioredis';
import { UnusableStorageError } from '../../store/log/storage-driver.ts';
import { isReplyError, nullIfReplyError, type RedisLock } from './redis-lock.ts';

/**
 * Writes items so that the last write of a key wins. A write that timed out, or whose connection broke, can still reach
 * Redis after the write that replaces it. So before the next write, Redis is asked to close that connection. A new
 * connection is used for writes only after two checks. The lock must still be held, because a new holder closes the
 * connections of the previous one. The last writes must still exist, because Redis can return to an earlier state.
 */
export class RedisWriter {
  readonly #redis: Redis;
  readonly #lock: RedisLock;
  /** The number of connections that have closed. ioredis opens the next one itself. */
  #closed = 0;
  /** The value of `#closed` at the last check. Null before the first check and after a failed write. */
  #checkedAt: number | null = null;
  #heartbeat: NodeJS.Timeout | null = null;
  #isChecking = false;
  /** The reason why writing has stopped. */
  #lost: UnusableStorageError | null = null;
  #resolveLost: (error: UnusableStorageError) => void = () => undefined;
  /** Redis only loses its last writes: while these two keys exist, nothing is lost. Null if there is no such key. */
  #newestLogKey: string | null = null;
  #lastWrittenKey: string | null = null;
  /** Resolves when another server holds the lock or Redis has lost writes. Else it stays pending. */
  readonly lost = new Promise<UnusableStorageError>((resolve) => (this.#resolveLost = resolve));

  constructor(redis: Redis, lock: RedisLock) {
    this.#redis = redis;
    this.#lock = lock;
    redis.on('close', () => this.#closed++);
  }

  async set(key: string, value: Buffer): Promise<void> {
    await this.#write(() => this.#redis.set(key, value));
    this.#lastWrittenKey = key;
  }

  async remove(key: string): Promise<void> {
    await this.#write(() => {
      // Forget the key before the command is sent, so that a check after it does not count the key as lost.
      if (this.#newestLogKey === key) this.#newestLogKey = null;
      if (this.#lastWrittenKey === key) this.#lastWrittenKey = null;
      return this.#redis.unlink(key);
    });
  }

  /**
   * Sets the newest item of the log, read or written. It shows lost writes even if nothing is written for a long time.
   */
  noteNewestLogKey(key: string): void {
    this.#newestLogKey = key;
  }

  /** Checks lock and data at an interval, even without writes. It shows other servers that this one is alive. */
  startHeartbeat(intervalMs: number): void {
    this.#heartbeat = setInterval(() => void this.#checkIdle(), intervalMs).unref();
  }

  stopHeartbeat(): void {
    if (this.#heartbeat) clearInterval(this.#heartbeat);
  }

  async #checkIdle(): Promise<void> {
    if (this.#isChecking || this.#lost || this.#redis.status !== 'ready') return;
    this.#isChecking = true;
    try {
      await this.#assertUsable();
    } catch (error) {
      if (!this.#lost && !isReplyError(error)) this.#reconnect();
    } finally {
      this.#isChecking = false;
    }
  }

  async #write(send: () => Promise<unknown>): Promise<void> {
    // The connection may have been replaced during the check.
    while (this.#checkedAt !== this.#closed) await this.#checkConnection();
    if (this.#lost) throw this.#lost;
    try {
      await send();
    } catch (error) {
      if (isReplyError(error)) throw error;
      this.#checkedAt = null;
      this.#reconnect();
      throw error;
    }
    // The lock was lost during the write. Don't acknowledge it, because the new holder may overwrite it.
    if (this.#lost) throw this.#lost;
  }

  async #checkConnection(): Promise<void> {
    if (this.#lost) throw this.#lost;
    const closed = this.#closed;
    const connection = (await this.#redis.client('ID').catch(nullIfReplyError)) as number | null;
    // Redis may forbid this. But it has responded on a newer connection, so it has very likely read the old one.
    if (connection !== null) await this.#lock.killOwnConnectionsExcept(connection);
    await this.#assertUsable();
    this.#checkedAt = closed;
  }

  /** Rejects if another server acquired the lock while this one was disconnected, or if Redis has lost writes. */
  async #assertUsable(): Promise<void> {
    try {
      await this.#lock.assertHeld([this.#newestLogKey, this.#lastWrittenKey].filter((key) => key !== null));
    } catch (error) {
      if (error instanceof UnusableStorageError) {
        this.#lost = error;
        this.#resolveLost(error);
      }
      throw error;
    }
  }

  /** Opens a new connection. A connection that timed out may be broken without notice, which only a new one reveals. */
  #reconnect(): void {
    if (this.#redis.status === 'ready') this.#redis.disconnect(true);
  }
}
