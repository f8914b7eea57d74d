import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, ClientConfig } from 'pg';
import { UnusableStorageError } from '../../store/log/storage-errors.ts';
import { missingPackage } from '../../store/log/missing-package.ts';

const postgresConnectMs = 3_000;
/** A query that takes longer has most likely lost its connection. */
const postgresQueryMs = 8_000;
/** An unresponsive connection is not waited for longer than this when it is closed. */
const closeMs = 500;
/** Pause before another attempt to find the primary. */
const reconnectMs = 100;

/** A value of a row: `bytea` as bytes, `bigint` as text. */
export type Value = Buffer | string | number | boolean | null;

export interface Query {
  text: string;
  /** Statements with a name are parsed once per connection. */
  name?: string;
  values?: readonly unknown[];
}

/**
 * Thrown if it is unknown whether a query had an effect: its connection was lost, or it took too long. Also thrown if
 * there is no connection.
 */
export class UnknownOutcomeError extends Error {
  override readonly name = 'UnknownOutcomeError';
}

/** The part of a connection that the log and the blobs use. */
export type QueryConnection = Pick<PrimaryConnection, 'query' | 'transaction'>;

/**
 * One connection to the host that accepts writes. Queries run one after the other, in the order of their calls. After a
 * failure, the next query connects again, to whichever host is the primary then.
 */
export class PrimaryConnection {
  readonly #hosts: readonly ClientConfig[];
  readonly #setup: string;
  #client: Promise<Client> | null = null;
  /** The client that is connecting. */
  #attempt: Client | null = null;
  /** The last query. It never rejects. */
  #running: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  /** `setup` runs first on each new connection. */
  constructor(hosts: readonly ClientConfig[], setup: string) {
    this.#hosts = hosts;
    this.#setup = setup;
  }

  /**
   * Resolves with the rows. Rejects with an `UnknownOutcomeError`, with an `UnusableStorageError` without the package
   * `pg`, or with the error that PostgreSQL has returned: then the query had no effect.
   */
  async query(query: Query): Promise<Value[][]> {
    return this.#run(await this.#connected(), query);
  }

  /**
   * Runs several queries as one transaction. Until it ends, no other query may run on this connection: it would become
   * a part of the transaction.
   */
  async transaction<Result>(work: (query: (query: Query) => Promise<Value[][]>) => Promise<Result>): Promise<Result> {
    const client = await this.#connected();
    await this.#run(client, { text: 'BEGIN' });
    try {
      const result = await work((query) => this.#run(client, query));
      await this.#run(client, { text: 'COMMIT' });
      return result;
    } catch (error) {
      // If the connection is lost, PostgreSQL rolls back itself.
      await this.#run(client, { text: 'ROLLBACK' }).catch(() => undefined);
      throw error;
    }
  }

  async #run(client: Client, query: Query): Promise<Value[][]> {
    const previous = this.#running;
    const running = previous.then(() => this.#send(client, query));
    this.#running = running.catch(() => undefined);
    return running;
  }

  async #send(client: Client, { text, name, values = [] }: Query): Promise<Value[][]> {
    try {
      const { rows } = await client.query<Value[]>({
        text,
        values: [...values],
        rowMode: 'array',
        ...(name !== undefined && { name }),
      });
      return rows;
    } catch (error) {
      if (isReply(error) && !isFromStandby(error)) throw error;
      this.#drop(client);
      throw new UnknownOutcomeError(explainFailure(error), { cause: error });
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const ended = this.#client?.then((client) => client.end()).catch(() => undefined);
    this.#client = null;
    if (this.#attempt) destroy(this.#attempt);
    // A connection that hangs must not delay the end.
    await Promise.race([ended, sleep(closeMs, undefined, { ref: false })]);
  }

  #connected(): Promise<Client> {
    if (this.#isClosed) return Promise.reject(new UnknownOutcomeError('The connection is closed.'));
    const connecting = (this.#client ??= this.#connect());
    return connecting.catch((error: unknown) => {
      if (this.#client === connecting) this.#client = null;
      if (error instanceof UnusableStorageError) throw error;
      throw new UnknownOutcomeError((error as Error).message, { cause: error });
    });
  }

  #drop(client: Client): void {
    void this.#client?.then(
      (current) => {
        if (current === client) this.#client = null;
      },
      () => undefined,
    );
    destroy(client);
  }

  /** Connects to the first host that accepts writes. Rejects with the reasons of all hosts. */
  async #connect(): Promise<Client> {
    const { Client } = await importPg();
    const reasons: string[] = [];
    let cause: unknown;
    for (const host of this.#hosts) {
      if (this.#isClosed) break;
      let address = '';
      try {
        // Reads the files of certificates.
        const client = new Client({
          ...host,
          keepAlive: true,
          connectionTimeoutMillis: postgresConnectMs,
          query_timeout: postgresQueryMs,
          application_name: 'service-server',
        });
        if (this.#hosts.length > 1) address = `${client.host}:${client.port}: `;
        await this.#prepare(client);
        return client;
      } catch (error) {
        cause = error;
        reasons.push(address + explainFailure(error));
      }
    }
    await sleep(reconnectMs);
    throw new Error(reasons.join('; '), { cause });
  }

  /** Connects, and rejects if the host is not the primary. */
  async #prepare(client: Client): Promise<void> {
    // Queries that fail because of the error report it.
    client.on('error', () => this.#drop(client));
    try {
      this.#attempt = client;
      await client.connect();
      const { rows } = await client.query<{ is_standby: boolean; is_read_only: boolean }>(
        `SELECT pg_is_in_recovery() AS is_standby, current_setting('transaction_read_only') = 'on' AS is_read_only`,
      );
      if (rows[0]?.is_standby) throw new Error('it is a standby, which accepts no writes');
      if (rows[0]?.is_read_only) throw new Error(readOnlyReason);
      await client.query(this.#setup);
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    } finally {
      this.#attempt = null;
    }
  }
}

/**
 * Closes the socket at once, also while it connects. `end` would first say goodbye over a connection that is broken.
 */
function destroy(client: Client): void {
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}

/** Returns whether PostgreSQL has rejected the query, so that its outcome is known. */
export function isReply(error: unknown): boolean {
  // Only messages of PostgreSQL have a severity. Errors of the socket may have a code of five characters too: EPIPE.
  const { code, severity } = error as { code?: string; severity?: string };
  // Classes 08 and 57P: the connection or the server is going down, so the outcome is unknown.
  return code !== undefined && severity !== undefined && !/^(?:08|57P)/.test(code);
}

/** In another mode, a pooler passes settings of one connection on to another. */
const readOnlyReason = 'it is read-only: default_transaction_read_only is on, or a pooler is not in session mode';

/**
 * Returns why a connection or a query has failed. `pg` has unclear messages, or none if a host has several addresses.
 */
function explainFailure(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException;
  if (message.includes('client password must be'))
    return 'a password is required: set PGPASSWORD, or add ?password_file=PATH to the address';
  if (message === 'Query read timeout') return `no response within ${postgresQueryMs / 1_000} seconds`;
  return message || code || String(error);
}

/** Returns whether a host that was the primary has become a standby. */
function isFromStandby(error: unknown): boolean {
  return (error as { code?: string }).code === '25006';
}

async function importPg(): Promise<Pick<typeof import('pg'), 'Client'>> {
  try {
    return (await import('pg')).default;
  } catch (error) {
    if (missingPackage(error) === null) throw error;
    throw new UnusableStorageError(
      'The storage postgres needs the package pg, which is not installed: npm install pg@8',
      { cause: error },
    );
  }
}
