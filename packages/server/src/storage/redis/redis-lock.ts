import type { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import { UnusableStorageError } from '../../store/log/driver.ts';

export interface ServerName {
  /** What the connections of all servers of this storage are called. */
  storage: string;
  /** What those of this process are called besides. */
  process: string;
}

/** What the connections of those are called who only read, and have nothing to fear of one another. */
export const reader = 'reader';

/** How often a server shows that it lives, and after which silence others believe that it does not. */
export interface Pulse {
  beatMs: number;
  silentMs: number;
}

const lookMs = 500;

/**
 * The place of the one server that may write to a storage. A key holds the name of who has it, so that the place is kept
 * and lost together with what was written, and who was away, for however long, finds out that it is another's. Whether
 * who has it still lives is told by its connections: they bear its name, and are never silent for long.
 */
export class RedisPlace {
  readonly #redis: Redis;
  readonly #key: string;
  readonly #self: ServerName;
  readonly #pulse: Pulse;
  /** The storage as the operator knows it. */
  readonly #name: string;

  constructor(redis: Redis, key: string, self: ServerName, pulse: Pulse, name: string) {
    this.#redis = redis;
    this.#key = key;
    this.#self = self;
    this.#pulse = pulse;
    this.#name = name;
  }

  /** Takes the place as soon as nobody who lives has it. Rejects with an UnusableStorageError if that takes longer. */
  async take(patienceMs: number): Promise<void> {
    for (let left = patienceMs / lookMs; !(await this.#tryToTake()); left--) {
      if (left <= 0) throw this.#usedByAnother('One storage belongs to one server.');
      await sleep(lookMs);
    }
  }

  /**
   * Rejects with an UnusableStorageError if another server has taken it, or if Redis does not have these keys any more:
   * then it came back as it was some time ago, and whatever is written next would stand behind a hole.
   */
  async assertOwn(written: readonly string[]): Promise<void> {
    const [owner, there] = await Promise.all([
      this.#redis.get(this.#key),
      written.length > 0 ? this.#redis.exists(...written) : 0,
    ]);
    if (owner !== null && owner !== this.#self.process) throw this.#takenByAnother();
    if (there < written.length)
      throw new UnusableStorageError(
        `${this.#name} has lost what was written to it last. What it still has is read when this server starts again.`,
      );
    if (owner === null && (await this.#redis.set(this.#key, this.#self.process, 'NX')) === null)
      throw this.#takenByAnother();
  }

  /** Rejects with an UnusableStorageError if other servers live, be it that they wait for the place. */
  async assertAlone(): Promise<void> {
    const others = (await this.#connections())?.filter(
      ({ process }) => ![this.#self.process, reader].includes(process),
    );
    if (others?.some((other) => this.#lives(other))) throw this.#usedByAnother('Stop all of them first.');
  }

  /** Has Redis drop connections of this process other than this one. Where they are not told or not to be cut, it goes on. */
  async cutOffOwnBut(connection: number): Promise<void> {
    const own = await this.#connections(this.#self.process);
    await this.#cutOff(own?.filter(({ id }) => id !== connection) ?? []);
  }

  async #tryToTake(): Promise<boolean> {
    await this.#redis.watch(this.#key);
    const owner = await this.#redis.get(this.#key);
    const seen = (await this.#connections(owner)) ?? [];
    if (seen.some((connection) => this.#lives(connection)) || !(await this.#cutOff(seen))) {
      await this.#redis.unwatch();
      return false;
    }
    // Of two that have come so far, one finds the key changed.
    const answers = await this.#redis.multi().set(this.#key, this.#self.process).exec();
    if (answers === null) return false;
    for (const [error] of answers) if (error) throw error;
    // The one before may have come back meanwhile. Whoever connects from here on finds out by the key before it writes.
    const since = await this.#connections(owner);
    const isCutOff = since !== null && (await this.#cutOff(since));
    // Where Redis does not tell or allow as much, one that lives has found out by then.
    if (owner !== null && !isCutOff) await sleep(2 * this.#pulse.beatMs);
    return true;
  }

  #lives({ idleMs }: Connection): boolean {
    return idleMs <= this.#pulse.silentMs;
  }

  /**
   * Those of servers of this storage, or of one of them. Null: Redis does not say, and the operator has to know. Nor does
   * it if even we are not among them: it forbids names, or somebody in between has connections of its own.
   */
  async #connections(process?: string | null): Promise<Connection[] | null> {
    const list = await this.#redis.client('LIST').catch(unlessReply);
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

  /** What is under way on them is not read any more. False: Redis does not let us. */
  async #cutOff(connections: readonly Connection[]): Promise<boolean> {
    for (const { id } of connections)
      if ((await this.#redis.client('KILL', 'ID', id).catch(unlessReply)) === null) return false;
    return true;
  }

  #takenByAnother(): UnusableStorageError {
    return this.#usedByAnother('It began while this one was silent or cut off, and this one writes nothing any more.');
  }

  #usedByAnother(then: string): UnusableStorageError {
    return new UnusableStorageError(`${this.#name} is used by another server. ${then}`);
  }
}

interface Connection {
  id: number;
  process: string;
  /** For how long nothing came. */
  idleMs: number;
}

/** What Redis itself has refused has not happened. */
export function isReply(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError';
}

/** Null for what Redis does not let us do: hosted ones forbid much. Whatever else went wrong is no answer, and is thrown. */
export function unlessReply(error: unknown): null {
  if (isReply(error)) return null;
  throw error;
}
