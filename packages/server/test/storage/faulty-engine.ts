import { PostgresLog } from '../../src/storage/postgres/postgres-log.ts';
import { UnknownOutcomeError, type Query, type Value } from '../../src/storage/postgres/primary-connection.ts';
import { connectionOf, SimulatedTables } from './simulated-tables.ts';

/** Decides with a seed: returns a number from 0 to below 1. */
export type Random = () => number;

/**
 * A database that several servers append to, over a network that delays, drops and repeats. It applies each statement
 * at one moment, as PostgreSQL does.
 */
export class FaultyEngine {
  readonly tables = new SimulatedTables();
  /** True while statements and answers are delayed, dropped and repeated. */
  isFaulty = true;
  /** The errors with which servers have reported that the engine lost writes. */
  readonly noticed: Error[] = [];
  readonly #random: Random;
  readonly #late: Promise<unknown>[] = [];

  constructor(random: Random) {
    this.#random = random;
  }

  /** Opens the log as one server sees it. */
  openLog(): PostgresLog {
    const connection = connectionOf((query) => this.#send(query));
    return new PostgresLog(
      { writer: connection, reader: connection },
      'the faulty engine',
      (error) => this.noticed.push(error),
      { sleep: () => this.#delay() },
    );
  }

  /** Stops the faults. Resolves once the late statements have arrived. */
  async calm(): Promise<void> {
    this.isFaulty = false;
    await Promise.all(this.#late);
  }

  /** Rejects if the statement or its answer is lost. A statement that seems lost may arrive later. */
  async #send(query: Query): Promise<Value[][]> {
    await this.#delay();
    const fate = this.isFaulty ? this.#random() : 1;
    if (fate < 0.1) throw new UnknownOutcomeError('The statement was lost.');
    if (fate < 0.2) {
      // It arrives after the client has given up.
      this.#late.push(this.#delay().then(() => this.tables.run(query)));
      throw new UnknownOutcomeError('The connection was lost.');
    }
    const answer = this.tables.run(query);
    if (fate < 0.3) this.tables.run(query);
    await this.#delay();
    if (fate >= 0.3 && fate < 0.4) throw new UnknownOutcomeError('The answer was lost.');
    return answer;
  }

  async #delay(): Promise<void> {
    const pauses = this.isFaulty ? Math.floor(this.#random() * 6) : 0;
    for (let pause = 0; pause < pauses; pause++) await new Promise((resolve) => setImmediate(resolve));
  }
}
