import {
  BatchTakenError,
  UnusableStorageError,
  type Driver,
  type LoggedBatch,
  type SharedLog,
} from '../../src/store/log/storage-driver.ts';
import { openMemoryDriver } from '../../src/storage/unstorage/memory.ts';

interface StoredBatch {
  nonce: number;
  bytes: Uint8Array;
  bodies: readonly Uint8Array[];
}

/** Decides with a seed: returns a number from 0 to below 1. */
export type Random = () => number;

/**
 * A database that several servers append to, over a network that delays, drops and repeats. It applies each statement at
 * one moment, as PostgreSQL does.
 */
export class FaultyEngine {
  readonly batches: StoredBatch[] = [];
  /** True while statements and answers are delayed, dropped and repeated. */
  isFaulty = true;
  readonly #random: Random;
  #nonces = 0;
  readonly #late: Promise<unknown>[] = [];

  constructor(random: Random) {
    this.#random = random;
  }

  /** Opens the storage as one server sees it. */
  open(): Driver {
    const memory = openMemoryDriver();
    return { ...memory, log: new FaultyLog(this), durability: 'as long as the test' };
  }

  newNonce(): number {
    return ++this.#nonces;
  }

  /** Resolves once no statement is on its way. From then on nothing fails. */
  async calm(): Promise<void> {
    this.isFaulty = false;
    await Promise.all(this.#late);
  }

  /** Loses the newest batches, as a failover to a standby that is behind does. */
  forget(count: number): void {
    this.batches.splice(Math.max(0, this.batches.length - count));
  }

  /** Sends a statement and resolves with its answer. Rejects if either is lost; the statement may arrive later. */
  async send<Answer>(statement: () => Answer): Promise<Answer> {
    await this.#delay();
    const fate = this.isFaulty ? this.#random() : 1;
    if (fate < 0.1) throw new Error('The statement was lost.');
    if (fate < 0.2) {
      // It arrives after the client has given up.
      this.#late.push(this.#delay().then(statement));
      throw new Error('The connection was lost.');
    }
    const answer = statement();
    if (fate < 0.3) statement();
    await this.#delay();
    if (fate >= 0.3 && fate < 0.4) throw new Error('The answer was lost.');
    return answer;
  }

  async #delay(): Promise<void> {
    const pauses = this.isFaulty ? Math.floor(this.#random() * 6) : 0;
    for (let pause = 0; pause < pauses; pause++) await new Promise((resolve) => setImmediate(resolve));
  }
}

/** The log of one server. Follows the rules of `PostgresLog`: predecessor, nonce, repetition. */
class FaultyLog implements SharedLog {
  readonly dropped = [];
  sizeBytes = 0;
  readonly #engine: FaultyEngine;
  #tail = { number: 0, nonce: 0 };

  constructor(engine: FaultyEngine) {
    this.#engine = engine;
  }

  async *read(): AsyncGenerator<LoggedBatch> {
    this.#tail = { number: 0, nonce: 0 };
    yield* this.readNew();
  }

  async *readNew(): AsyncGenerator<LoggedBatch> {
    const { number, nonce } = this.#tail;
    const rows = await this.#repeat(() => ({
      known: number === 0 || this.#engine.batches[number - 1]?.nonce === nonce,
      found: this.#engine.batches.slice(number),
    }));
    if (!rows.known) throw new UnusableStorageError('The engine has lost writes.');
    for (const row of rows.found) {
      this.#tail = { number: this.#tail.number + 1, nonce: row.nonce };
      yield { number: this.#tail.number, position: this.#tail.number, bytes: row.bytes, bodiesBytes: 0 };
    }
  }

  async append(number: number, bytes: Uint8Array, bodies: readonly Uint8Array[] = []): Promise<number> {
    const { batches } = this.#engine;
    const row = { nonce: this.#engine.newNonce(), bytes, bodies };
    const before = this.#tail;
    const stored = await this.#repeat(() => {
      const isNext = batches.length === number - 1 && (batches.at(-1)?.nonce ?? 0) === before.nonce;
      if (isNext) batches.push(row);
      return batches[number - 1]?.nonce;
    });
    if (stored === undefined) throw new UnusableStorageError('The engine has lost writes.');
    if (stored !== row.nonce) throw new BatchTakenError(`Batch ${number} is taken.`);
    this.#tail = { number, nonce: row.nonce };
    return number;
  }

  async readAt(position: number, offset: number, length: number): Promise<Uint8Array> {
    const batch = this.#engine.batches[position - 1];
    const parts = [batch?.bytes ?? new Uint8Array(), ...(batch?.bodies ?? [])];
    return Buffer.concat(parts).subarray(offset, offset + length);
  }

  async seal(): Promise<void> {}

  async dropBefore(): Promise<void> {}

  async #repeat<Answer>(statement: () => Answer): Promise<Answer> {
    for (;;) {
      try {
        return await this.#engine.send(statement);
      } catch {
        // The same statement again: with its nonce it has an effect once.
      }
    }
  }
}
