import type { Redis } from 'ioredis';
import { UnusableStorageError } from '../../store/log/driver.ts';
import { isReply, unlessReply, type RedisPlace } from './redis-lock.ts';

/**
 * Writes of which the last one counts. One that timed out, or whose connection broke, may still be on its way to
 * Redis and arrive behind the write that takes its place: before the next write Redis is told to drop that connection.
 * And no connection is written on before it is known that the place is still ours, for whoever took it has cut the
 * others, and that Redis still has what was written: it may have come back without its last writes.
 */
export class RedisWriter {
  readonly #redis: Redis;
  readonly #place: RedisPlace;
  /** How many connections have ended. ioredis makes the next one by itself. */
  #ended = 0;
  /** How many had, when this was settled. Null: it never was, or a write has failed since. */
  #settledAfter: number | null = null;
  #beating: NodeJS.Timeout | null = null;
  #isAsking = false;
  /** Why nothing is written any more. */
  #lost: UnusableStorageError | null = null;
  #tellLost: (error: UnusableStorageError) => void = () => undefined;
  /** Redis forgets, if ever, from its last write backwards: as long as these are there, all is. Null: nothing to tell by. */
  #newestOfLog: string | null = null;
  #lastWritten: string | null = null;
  /** Resolves if another server has taken the place, or Redis has lost what was written, and never else. */
  readonly lost = new Promise<UnusableStorageError>((resolve) => (this.#tellLost = resolve));

  constructor(redis: Redis, place: RedisPlace) {
    this.#redis = redis;
    this.#place = place;
    redis.on('close', () => this.#ended++);
  }

  async set(key: string, value: Buffer): Promise<void> {
    await this.#write(() => this.#redis.set(key, value));
    this.#lastWritten = key;
  }

  async remove(key: string): Promise<void> {
    await this.#write(() => {
      // Before it is sent: whoever asks after it has been must not miss what we have removed ourselves.
      if (this.#newestOfLog === key) this.#newestOfLog = null;
      if (this.#lastWritten === key) this.#lastWritten = null;
      return this.#redis.unlink(key);
    });
  }

  /** The newest item of the log, found there or written: it tells also when nothing is written for long. */
  noteNewestOfLog(key: string): void {
    this.#newestOfLog = key;
  }

  /** Asks now and then whether all is as it was, also while nothing is written: others see by it that this one lives. */
  beat(everyMs: number): void {
    this.#beating = setInterval(() => void this.#askWhose(), everyMs).unref();
  }

  stop(): void {
    if (this.#beating) clearInterval(this.#beating);
  }

  async #askWhose(): Promise<void> {
    if (this.#isAsking || this.#lost || this.#redis.status !== 'ready') return;
    this.#isAsking = true;
    try {
      await this.#stayOwner();
    } catch (error) {
      if (!this.#lost && !isReply(error)) this.#reconnect();
    } finally {
      this.#isAsking = false;
    }
  }

  async #write(send: () => Promise<unknown>): Promise<void> {
    // Another connection may have come while this was asked on the one before.
    while (this.#settledAfter !== this.#ended) await this.#settle();
    if (this.#lost) throw this.#lost;
    try {
      await send();
    } catch (error) {
      if (isReply(error)) throw error;
      this.#settledAfter = null;
      this.#reconnect();
      throw error;
    }
    // Found out while it was under way: nobody is told that it is kept, for whoever has the place may write over it.
    if (this.#lost) throw this.#lost;
  }

  async #settle(): Promise<void> {
    if (this.#lost) throw this.#lost;
    const ended = this.#ended;
    const connection = (await this.#redis.client('ID').catch(unlessReply)) as number | null;
    // Where that is forbidden, Redis has answered a new connection since, and so has very likely read the old one.
    if (connection !== null) await this.#place.cutOffOwnBut(connection);
    await this.#stayOwner();
    this.#settledAfter = ended;
  }

  /** While this one was away, another server may have begun, of whose writes we know nothing, or ours may have been lost. */
  async #stayOwner(): Promise<void> {
    try {
      await this.#place.assertOwn([this.#newestOfLog, this.#lastWritten].filter((key) => key !== null));
    } catch (error) {
      if (error instanceof UnusableStorageError) {
        this.#lost = error;
        this.#tellLost(error);
      }
      throw error;
    }
  }

  /** Silent for so long, a connection may be gone without a word: nobody but a new one finds out. */
  #reconnect(): void {
    if (this.#redis.status === 'ready') this.#redis.disconnect(true);
  }
}
