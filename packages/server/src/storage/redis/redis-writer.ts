import type { Redis } from 'ioredis';
import { UnusableStorageError } from '../../store/log/storage-errors.ts';
import { isReplyError, nullIfReplyError, type RedisLock } from './redis-lock.ts';

/** The header of an item and of its batch, with checksums. No two batches begin with the same bytes but by chance. */
const markBytes = 120;

const appendAfterItem = `if redis.call('GETRANGE', KEYS[2], 0, #ARGV[2] - 1) ~= ARGV[2] then return 0 end
redis.call('SET', KEYS[1], ARGV[1]) return 1`;

const appendAfterKey = `if redis.call('EXISTS', KEYS[2]) == 0 then return 0 end
redis.call('SET', KEYS[1], ARGV[1]) return 1`;

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
  /** The beginning of the newest item of the log. Empty if its content is unknown. */
  #predecessor: Buffer = Buffer.alloc(0);
  #hasScripts = true;
  /** Resolves when another server holds the lock or Redis has lost writes. Otherwise stays pending. */
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

  /**
   * Appends an item to the log. If Redis allows scripts, it stores the item only if it still has the previous one, with
   * the bytes that this server knows. Otherwise the log could have a gap after a failover, which makes it unreadable.
   */
  async append(key: string, item: Buffer): Promise<void> {
    await this.#write(() => this.#append(key, item));
    this.#lastWrittenKey = key;
    this.setNewestLogItem(key, item);
  }

  async #append(key: string, item: Buffer): Promise<void> {
    const before = this.#newestLogKey;
    if (before === null || before === key || !this.#hasScripts) return void (await this.#redis.set(key, item));
    try {
      const script = this.#predecessor.length > 0 ? appendAfterItem : appendAfterKey;
      const stored = await this.#redis.eval(script, 2, key, before, item, this.#predecessor);
      if (stored !== 1) throw this.#reportLost(this.#lock.writesLost());
    } catch (error) {
      // Some hosted services forbid scripts. The checks at an interval remain.
      if (!isReplyError(error) || !/noperm|unknown command|not allowed/i.test(String(error))) throw error;
      this.#hasScripts = false;
      await this.#redis.set(key, item);
    }
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
   * Remembers the newest item of the log, which was found at start. If it is missing at a later check, writes were
   * lost, even if this server has written nothing for a long time.
   */
  setNewestLogKey(key: string): void {
    if (this.#newestLogKey !== key) this.#predecessor = Buffer.alloc(0);
    this.#newestLogKey = key;
  }

  /** Remembers the newest item of the log and the beginning of its content. */
  setNewestLogItem(key: string, item: Buffer): void {
    this.#newestLogKey = key;
    this.#predecessor = Buffer.from(item.subarray(0, markBytes));
  }

  /** Remembers the beginning of an item that was read, if it is the newest of the log. */
  onItemRead(key: string, item: Buffer): void {
    if (key === this.#newestLogKey) this.setNewestLogItem(key, item);
  }

  /** Checks lock and data at an interval, even without writes. The checks show other servers that this one is alive. */
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
      if (isReplyError(error) || error === this.#lost) throw error;
      this.#checkedAt = null;
      this.#reconnect();
      throw error;
    }
    // The lock was lost during the write. Don't acknowledge the write, because the new holder may overwrite it.
    if (this.#lost) throw this.#lost;
  }

  async #checkConnection(): Promise<void> {
    if (this.#lost) throw this.#lost;
    const closed = this.#closed;
    const connection = (await this.#redis.client('ID').catch(nullIfReplyError)) as number | null;
    // Redis may forbid `CLIENT ID`. But Redis has responded on a newer connection, so it has very likely read the old
    // one to its end.
    if (connection !== null) await this.#lock.killOwnConnectionsExcept(connection);
    await this.#assertUsable();
    this.#checkedAt = closed;
  }

  /** Rejects if another server acquired the lock while this one was disconnected, or if Redis has lost writes. */
  async #assertUsable(): Promise<void> {
    try {
      await this.#lock.assertHeld([this.#newestLogKey, this.#lastWrittenKey].filter((key) => key !== null));
    } catch (error) {
      throw error instanceof UnusableStorageError ? this.#reportLost(error) : error;
    }
  }

  #reportLost(error: UnusableStorageError): UnusableStorageError {
    this.#lost = error;
    this.#resolveLost(error);
    return error;
  }

  /** Opens a new connection. A connection that timed out may be broken without notice, which only a new one reveals. */
  #reconnect(): void {
    if (this.#redis.status === 'ready') this.#redis.disconnect(true);
  }
}
