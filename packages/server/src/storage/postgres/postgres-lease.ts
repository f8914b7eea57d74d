import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { UnusableStorageError } from '../../store/log/storage-errors.ts';
import { entryVersion } from '../../store/records/entry.ts';
import type { PostgresLog } from './postgres-log.ts';
import { assertReadable, theLog } from './postgres-schema.ts';
import type { PrimaryConnection, Value } from './primary-connection.ts';

/** A server that was not seen for longer counts as stopped. By the clock of PostgreSQL. */
const maxUnseenSeconds = 5;
const leaseHeartbeatMs = 1_000;
/** How often the holder and its successors check which server holds the log. */
const leaseCheckMs = 200;
/** A holder may answer from memory for this long after it has begun to ask whether it still holds the log. */
const confirmedMs = 500;
/** The pause of a successor before it answers. After it, the previous holder no longer answers from memory. */
const successionMs = confirmedMs + 100;
/** Clocks may differ by `warnedSkewMs` without a warning. Beyond `maxSkewMs`, the storage is not used. */
const warnedSkewMs = 1_000;
const maxSkewMs = 60_000;

/** A server as the others see it. */
export interface Peer {
  id: string;
  /** An http URL. */
  address: string;
  /** Other servers send it with each request to this server, as proof that the request comes from one of them. */
  secret: string;
  /** True once it can handle requests. */
  isReady: boolean;
  /** True if it was seen within the last 5 seconds. */
  isAlive: boolean;
}

/** The server that holds the log, if any. */
export interface Tenure {
  /** Null if no server does. */
  holder: Peer | null;
  /** Raised each time a server takes the log. */
  term: number;
}

/**
 * Decides which server holds the log: a row in PostgreSQL names the holder. A server stays the holder until it gives up
 * the log or a successor takes it. A successor may take it when the holder was not seen for 5 seconds, or when its
 * machine has refused a connection. It takes the log by one statement, which fails if the term is no longer that of the
 * previous holder.
 *
 * A holder answers from memory only for a moment after PostgreSQL has confirmed that it still is one, and a successor
 * waits for longer than that.
 */
export class PostgresLease {
  readonly self = { id: randomUUID(), secret: randomBytes(24).toString('base64url') };
  /** Where other servers reach this one. Empty if they can't. */
  address = '';
  isReady = false;
  /** The tenure at the last check. */
  tenure: Tenure = { holder: null, term: 0 };
  /** Why this server must not use the storage, by the last check: its clock is wrong, or the format is newer. */
  unusable: UnusableStorageError | null = null;
  readonly #connection: PrimaryConnection;
  readonly #log: PostgresLog;
  readonly #name: string;
  readonly #warn: (message: string) => void;
  /** `performance.now()` at the start of the latest check that confirmed this server as the holder. */
  #confirmedAt = -Infinity;
  #checking: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #heartbeatAt = -Infinity;
  #isSkewed = false;
  #isReleased = false;
  #isClosed = false;
  readonly #listeners = new Set<() => void>();

  constructor(connection: PrimaryConnection, log: PostgresLog, name: string, warn: (message: string) => void) {
    this.#connection = connection;
    this.#log = log;
    this.#name = name;
    this.#warn = warn;
  }

  /** True if this server held the log when it was checked last. */
  get isHolder(): boolean {
    return this.tenure.holder?.id === this.self.id;
  }

  /** True if this server holds the log for sure at this moment. */
  get isConfirmed(): boolean {
    return this.isHolder && performance.now() - this.#confirmedAt < confirmedMs;
  }

  /** Checks at an interval. Rejects if the first check fails, or if the clocks of both machines differ too much. */
  async start(): Promise<void> {
    await this.check();
    this.#timer = setInterval(() => void this.check().catch(() => undefined), leaseCheckMs).unref();
  }

  /** Calls the listener after each check. Returns a function that unsubscribes it. */
  onCheck(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /**
   * Reads who holds the log. A call during a check begins another check after it, because the check in progress may
   * have read an older state.
   */
  async check(): Promise<void> {
    while (this.#checking) await this.#checking.catch(() => undefined);
    this.#checking = this.#check().finally(() => (this.#checking = null));
    await this.#checking;
  }

  /** Tells the others about a change of this server now, instead of within a second. */
  async sendHeartbeat(): Promise<void> {
    this.#heartbeatAt = -Infinity;
    await this.check();
  }

  /** Resolves with true if this server holds the log: then its model is current. */
  async confirm(): Promise<boolean> {
    if (this.isConfirmed) return true;
    await this.#checking?.catch(() => undefined);
    if (!this.isConfirmed) await this.check();
    return this.isConfirmed;
  }

  /**
   * Takes the log, and resolves with whether this server is the holder now. The log can be taken if it has no live
   * holder, or if `isGone` says that the machine of the holder has refused a connection. Resolves once the previous
   * holder no longer answers from memory. If PostgreSQL is slow, a call takes the log and can't confirm it: then a
   * later call resolves with true.
   */
  async take(isGone = false): Promise<boolean> {
    const { holder, term } = this.tenure;
    if (this.#isReleased) return false;
    if (this.isHolder) {
      await sleep(successionMs);
      return this.confirm();
    }
    const taken = await this.#connection.query({
      text: takeQuery,
      values: [theLog, this.self.id, term, isGone, entryVersion],
    });
    if (taken.length === 0) return false;
    if (holder) await sleep(successionMs);
    await this.check();
    return this.isConfirmed;
  }

  /**
   * Resolves with whether this server may append. Asks PostgreSQL only if this server did not hold the log at the last
   * check.
   */
  async mayAppend(): Promise<boolean> {
    if (!this.isHolder) await this.check().catch(() => undefined);
    return this.isHolder;
  }

  /** Forgets the last check, because another server has written or this one gives up the log. */
  forgetConfirmation(): void {
    this.#confirmedAt = -Infinity;
    this.tenure = { holder: null, term: this.tenure.term };
  }

  /**
   * Gives up the log, if this server holds it. From then on this server answers nothing from memory. A server with a
   * newer format may take the log, because this one only checks who holds the log, and no longer reads it.
   */
  async release(): Promise<void> {
    this.#isReleased = true;
    this.forgetConfirmation();
    // A heartbeat that is on its way must not come after the end.
    await this.#checking?.catch(() => undefined);
    await this.#connection.query({ text: releaseQuery, values: [theLog, this.self.id] });
  }

  /** Stops the checks and gives up the log. A storage that does not respond is left: others take the log later. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.#timer) clearInterval(this.#timer);
    this.#listeners.clear();
    await this.#checking?.catch(() => undefined);
    try {
      await this.release();
    } catch {
      // Others take the log once this server was not seen for 5 seconds.
    }
  }

  async #check(): Promise<void> {
    const startedAt = performance.now();
    const isHeartbeat = startedAt - this.#heartbeatAt >= leaseHeartbeatMs && !this.#isClosed && !this.#isReleased;
    const [row] = await this.#connection.query(
      isHeartbeat ? this.#heartbeatQuery() : { ...holderQuery, values: [theLog] },
    );
    if (isHeartbeat) this.#heartbeatAt = startedAt;
    try {
      if (!row) throw new UnusableStorageError(`${this.#name} has no log.`);
      this.#read(row, startedAt);
      this.unusable = null;
    } catch (error) {
      this.unusable = error as UnusableStorageError;
      this.forgetConfirmation();
      throw error;
    }
    for (const listener of this.#listeners) listener();
  }

  #heartbeatQuery(): { name: string; text: string; values: unknown[] } {
    const { id, secret } = this.self;
    return { ...heartbeatQuery, values: [theLog, id, this.address, secret, entryVersion, this.isReady] };
  }

  #read(row: readonly Value[], startedAt: number): void {
    const [term, id, address, secret, isReady, isAlive, newest, engineNow, version] = row;
    if (!this.#isReleased) assertReadable(this.#name, Number(version));
    this.#checkSkew(Number(engineNow), startedAt);
    const isGivenUp = id === null || id === undefined || (this.#isReleased && id === this.self.id);
    this.tenure = {
      term: Number(term),
      holder: isGivenUp
        ? null
        : {
            id: String(id),
            address: String(address ?? ''),
            secret: String(secret ?? ''),
            isReady: isReady === true,
            isAlive: isAlive === true,
          },
    };
    // If PostgreSQL has less than this server knows, nothing is answered from memory.
    const isComplete = Number(newest) >= this.#log.newestNumber;
    this.#confirmedAt = this.isHolder && isComplete ? startedAt : -Infinity;
    if (!isComplete) void this.#log.assertNothingLost().catch(() => undefined);
  }

  #checkSkew(engineNow: number, startedAt: number): void {
    const passedMs = performance.now() - startedAt;
    const skewMs = Math.max(0, Math.abs(Date.now() - passedMs / 2 - engineNow) - passedMs / 2);
    const isSkewed = skewMs > warnedSkewMs;
    if (skewMs > maxSkewMs)
      throw new UnusableStorageError(
        `The clock of this machine differs from that of ${this.#name} by ${Math.round(skewMs / 1_000)} seconds. Set it right.`,
      );
    if (isSkewed && !this.#isSkewed)
      this.#warn(`the clock of this machine differs from that of PostgreSQL by ${Math.round(skewMs)} ms`);
    this.#isSkewed = isSkewed;
  }
}

const holderColumns = `l.term, l.holder, s.address, s.secret, s.is_ready, s.seen > now() - interval '${maxUnseenSeconds} seconds',
  coalesce((SELECT max(number) FROM service.batch WHERE log = $1), 0), extract(epoch FROM clock_timestamp())::float8 * 1000,
  l.entry_version`;
const holderTables = 'service.log l LEFT JOIN service.server s ON s.id = l.holder WHERE l.id = $1';

const holderQuery = { name: 'holder', text: `SELECT ${holderColumns} FROM ${holderTables}` };

/** The statement sees the row of this server as it was before. */
const heartbeatQuery = {
  name: 'heartbeat',
  text: `WITH heartbeat AS (
    INSERT INTO service.server (id, address, secret, entry_version, is_ready, seen)
    VALUES ($2, $3, $4, $5, $6, now())
    ON CONFLICT (id) DO UPDATE SET address = excluded.address, is_ready = excluded.is_ready, seen = excluded.seen
  ), gone AS (
    DELETE FROM service.server WHERE seen < now() - interval '1 day' AND id <> $2
  ) SELECT ${holderColumns} FROM ${holderTables}`,
};

const releaseQuery = `WITH gone AS (DELETE FROM service.server WHERE id = $2)
  UPDATE service.log SET holder = NULL WHERE id = $1 AND holder = $2`;

/** A server with an older format could not read what this one writes, so it must have stopped. */
const takeQuery = `UPDATE service.log SET holder = $2, term = term + 1, entry_version = greatest(entry_version, $5)
  WHERE id = $1 AND term = $3 AND (
    holder IS NULL OR $4 OR NOT EXISTS (
      SELECT FROM service.server s WHERE s.id = holder AND s.seen > now() - interval '${maxUnseenSeconds} seconds'
    )
  ) AND NOT EXISTS (
    SELECT FROM service.server s WHERE s.entry_version < $5 AND s.seen > now() - interval '${maxUnseenSeconds} seconds'
  ) RETURNING term`;
