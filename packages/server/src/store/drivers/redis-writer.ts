import type { Redis } from 'ioredis';
import { UnusableStorageError } from '../driver.ts';

/**
 * Writes of which the last one counts. One that timed out, or whose connection broke, may still be on its way to
 * Redis and arrive behind the write that takes its place: before the next write Redis is told to drop that connection.
 */
export class RedisWriter {
  readonly #redis: Redis;
  /** The number that Redis gives to the connection of the last write. */
  #connection: number | null = null;
  #unsettled = true;
  /** Why nothing is written any more. */
  #lost: Error | null = null;
  readonly #assertFirst: () => Promise<void>;

  /** `assertFirst` rejects with an UnusableStorageError if another server was connected before: it writes now, and this one never again. */
  constructor(redis: Redis, assertFirst: () => Promise<void>) {
    this.#redis = redis;
    this.#assertFirst = assertFirst;
  }

  async set(key: string, value: Buffer): Promise<void> {
    if (this.#lost) throw this.#lost;
    if (this.#unsettled) await this.#settle();
    try {
      await this.#redis.set(key, value);
    } catch (error) {
      if (isReply(error)) throw error;
      this.#unsettled = true;
      // Silent for so long, it may be gone without a word: nobody but a new connection finds out.
      if (this.#redis.status === 'ready') this.#redis.disconnect(true);
      throw error;
    }
  }

  async #settle(): Promise<void> {
    const connection = await this.#redis.client('ID');
    if (this.#connection !== null && this.#connection !== connection) await this.#drop(this.#connection);
    if (this.#connection !== connection) await this.#stayFirst();
    this.#connection = connection;
    this.#unsettled = false;
  }

  /** While this one was away, another server may have begun: what it has written is not known here. */
  async #stayFirst(): Promise<void> {
    try {
      await this.#assertFirst();
    } catch (error) {
      if (error instanceof UnusableStorageError) this.#lost = error;
      throw error;
    }
  }

  async #drop(connection: number): Promise<void> {
    try {
      await this.#redis.client('KILL', 'ID', connection);
    } catch (error) {
      // Hosted ones may forbid it. Redis has answered a new connection since, and so has very likely read the old one.
      if (!isReply(error)) throw error;
    }
  }
}

/** What Redis itself has refused has not happened. */
function isReply(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError';
}
