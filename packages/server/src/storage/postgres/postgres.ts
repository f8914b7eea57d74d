import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { UnusableStorageError, storageUnusable } from '../../store/log/storage-errors.ts';
import type { RestorableDriver } from '../../store/log/storage-driver.ts';
import { parsePostgresAddress } from './postgres-address.ts';
import { PostgresBlobs } from './postgres-blobs.ts';
import { PostgresLease } from './postgres-lease.ts';
import { PostgresLog } from './postgres-log.ts';
import { prepareSchema } from './postgres-schema.ts';
import { PrimaryConnection } from './primary-connection.ts';

const takeTimeoutMs = 20_000;
const takeRetryMs = 250;

/** A storage in PostgreSQL, which several servers use. */
export interface PostgresDriver extends RestorableDriver {
  readonly log: PostgresLog;
  readonly blobs: PostgresBlobs;
  readonly lease: PostgresLease;
  /** Resolves once PostgreSQL has lost writes that this server knows. From then on every write fails. */
  readonly lost: Promise<Error>;
  /** Ends all connections, and so all queries that hang. The log is not given up: others take it after 5 seconds. */
  disconnect(): Promise<void>;
}

export interface PostgresOptions {
  /** True to reject a database without the tables, instead of creating them. */
  isExisting?: boolean;
  /** Warns the operator. */
  warn?: (message: string) => void;
}

/**
 * Opens a storage in PostgreSQL without holding its log: see `PostgresLease`. Rejects with an `UnusableStorageError` if
 * PostgreSQL can't be reached or used.
 */
export async function openPostgresDriver(
  url: string,
  { warn = () => undefined, isExisting = false }: PostgresOptions = {},
): Promise<PostgresDriver> {
  const { name, hosts } = parsePostgresAddress(url);
  // Separate connections: bodies are read, and the holder is checked, while an append waits for the disk.
  const [writer, reader, blobReader, leaseConnection] = [syncedSetup, readSetup, syncedSetup, syncedSetup].map(
    (setup) => new PrimaryConnection(hosts, setup),
  ) as [PrimaryConnection, PrimaryConnection, PrimaryConnection, PrimaryConnection];
  const connections = [writer, reader, blobReader, leaseConnection];
  const losses = new EventEmitter<{ lost: [Error] }>();
  const lost = once(losses, 'lost').then(([error]) => error as Error);
  const log = new PostgresLog({ writer, reader }, name, (error) => losses.emit('lost', error), { sleep });
  const lease = new PostgresLease(leaseConnection, log, name, warn);
  const disconnect = async (): Promise<void> => {
    log.close();
    await Promise.all(connections.map((connection) => connection.close()));
  };
  log.mayAppend = () => lease.mayAppend();
  log.onTaken = () => lease.forgetConfirmation();
  try {
    await prepareSchema(writer, name, { isExisting });
    const durability = await describePostgres(writer);
    return {
      name,
      durability,
      log,
      blobs: new PostgresBlobs(blobReader),
      lease,
      lost,
      isHeld: () => lease.isConfirmed,
      isEmpty: () => log.isEmpty(),
      replaceLog: (batches) => log.replace(batches),
      disconnect,
      async close() {
        log.close();
        await lease.close();
        await disconnect();
      },
    };
  } catch (error) {
    await disconnect();
    throw error instanceof UnusableStorageError ? error : storageUnusable(name, error);
  }
}

/**
 * Opens a storage in PostgreSQL for one server alone, such as a program that embeds it. Waits while another server
 * holds the log. Rejects with an `UnusableStorageError` if that takes longer than `timeoutMs`, and as
 * `openPostgresDriver` does.
 */
export async function openExclusivePostgresDriver(
  url: string,
  { timeoutMs = takeTimeoutMs, ...options }: PostgresOptions & { timeoutMs?: number } = {},
): Promise<RestorableDriver> {
  const driver = await openPostgresDriver(url, options);
  const { lease, name } = driver;
  try {
    await lease.start();
    for (let left = timeoutMs / takeRetryMs; !(await lease.take()); left--) {
      if (left <= 0) throw new UnusableStorageError(`${name} is used by another server. Stop it first.`);
      await new Promise((resolve) => setTimeout(resolve, takeRetryMs));
      await lease.check();
    }
  } catch (error) {
    await driver.close();
    throw error instanceof UnusableStorageError ? error : storageUnusable(name, error);
  }
  const taken = new Promise<Error>((resolve) => {
    lease.onCheck(() => {
      if (!lease.isHolder) resolve(new UnusableStorageError(`${name} is used by another server now.`));
    });
  });
  return { ...driver, lost: Promise.race([driver.lost, taken]) };
}

/** Turns `synchronous_commit` on if it is off for the whole database: a 200 promises that the report is on disk. */
const syncedSetup =
  "SELECT set_config('synchronous_commit', CASE current_setting('synchronous_commit') WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END, false)";
const readSetup = 'SET default_transaction_read_only = on';

/** Describes which failures an acknowledged report survives, from the settings of PostgreSQL. */
async function describePostgres(connection: PrimaryConnection): Promise<string> {
  const [row] = await connection.query({
    text: `SELECT current_setting('fsync'), current_setting('synchronous_commit'), current_setting('synchronous_standby_names'),
      (SELECT count(*) FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum'))`,
  });
  const [fsync, commit, standbys, synchronous] = (row ?? []).map(String);
  if (fsync === 'off')
    return 'an acknowledged report survives a crash of this server and of PostgreSQL; a power loss can destroy everything: fsync off';
  const here = `an acknowledged report survives a crash and a power loss: fsync on, synchronous_commit ${commit}`;
  if (!standbys) return `${here}; the loss of the machine of PostgreSQL can lose the last ones: no synchronous standby`;
  if (commit === 'local')
    return `${here}; a failover can lose the last ones: synchronous_commit doesn't wait for the standby`;
  if (Number(synchronous) === 0) return `${here}; writes wait for a synchronous standby, and none is connected now`;
  return `${here}; and the loss of the machine of PostgreSQL: ${synchronous} synchronous standby`;
}
