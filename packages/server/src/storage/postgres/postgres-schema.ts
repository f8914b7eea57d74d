import { newerFormat } from '../../store/log/newer-format.ts';
import { UnusableStorageError } from '../../store/log/storage-errors.ts';
import { entryVersion, oldestEntryVersion } from '../../store/records/entry.ts';
import type { PrimaryConnection } from './primary-connection.ts';

/** The only log so far. Rows name their log, so that there can be several. */
export const theLog = 0;

/** Must be raised when the tables change. */
const schemaVersion = 1;
/** A number that no other program is likely to lock. */
const migrationLock = 7_308_901_120;

/** Stored without compression: large bodies and blobs are compressed already, and only parts of values are read. */
const tables = `
CREATE TABLE service.schema (version int NOT NULL);
CREATE TABLE service.log (
  id int PRIMARY KEY,
  entry_version int NOT NULL,
  holder text,
  term bigint NOT NULL DEFAULT 0
);
CREATE TABLE service.batch (
  log int NOT NULL,
  number bigint NOT NULL,
  nonce bytea NOT NULL,
  entries bytea NOT NULL,
  bodies bytea NOT NULL,
  PRIMARY KEY (log, number)
);
ALTER TABLE service.batch
  ALTER COLUMN entries SET STORAGE EXTERNAL,
  ALTER COLUMN bodies SET STORAGE EXTERNAL;
CREATE TABLE service.blob (
  log int NOT NULL,
  name text COLLATE "C" NOT NULL,
  slice int NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (log, name, slice)
);
ALTER TABLE service.blob ALTER COLUMN bytes SET STORAGE EXTERNAL;
CREATE TABLE service.server (
  id text PRIMARY KEY,
  address text NOT NULL,
  secret text NOT NULL,
  entry_version int NOT NULL,
  is_ready boolean NOT NULL,
  seen timestamptz NOT NULL
);
`;

interface SchemaOptions {
  /** True to reject a database without the tables, instead of creating them. */
  isExisting: boolean;
}

/**
 * Creates the tables if they are missing. Several servers may do so at the same time. Rejects with an
 * `UnusableStorageError` if a newer server has changed the tables or written the log, if the user has too few rights,
 * or if the schema belongs to another program.
 */
export async function prepareSchema(
  connection: PrimaryConnection,
  name: string,
  options: SchemaOptions,
): Promise<void> {
  try {
    await createMissingTables(connection, name, options);
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (code === insufficientPrivilege)
      throw new UnusableStorageError(
        `${name} can't be used (${message}). Grant the user CREATE on the database, or make it the owner of the schema ` +
          'service and of all tables in it.',
        { cause: error },
      );
    if (code !== undefined && codesOfOtherTables.has(code))
      throw new UnusableStorageError(
        `The schema service in ${name} has tables of another program (${message}). Use another database.`,
        { cause: error },
      );
    throw error;
  }
}

const insufficientPrivilege = '42501';
/** A table exists already, or it has no such column, does not exist, or is no table. */
const codesOfOtherTables: ReadonlySet<string> = new Set(['42P07', '42703', '42P01', '42809']);

async function createMissingTables(
  connection: PrimaryConnection,
  name: string,
  { isExisting }: SchemaOptions,
): Promise<void> {
  await connection.transaction(async (query) => {
    await query({ text: 'SELECT pg_advisory_xact_lock($1)', values: [migrationLock] });
    const [found] = await query({ text: "SELECT to_regclass('service.schema') IS NOT NULL" });
    if (!found?.[0]) {
      if (isExisting)
        throw new UnusableStorageError(`There is no storage at ${name}. Select the right one with --storage.`);
      // `CREATE SCHEMA IF NOT EXISTS` needs the right to create it even if it exists.
      const [schema] = await query({ text: "SELECT to_regnamespace('service') IS NOT NULL" });
      if (!schema?.[0]) await query({ text: 'CREATE SCHEMA service' });
      await query({ text: tables });
      await query({ text: 'INSERT INTO service.schema VALUES ($1)', values: [schemaVersion] });
      await query({ text: 'INSERT INTO service.log VALUES ($1, $2)', values: [theLog, entryVersion] });
    }
    const [version] = await query({ text: 'SELECT version FROM service.schema' });
    if (version?.[0] !== schemaVersion)
      throw new UnusableStorageError(
        `${name} has tables of another version (${version?.[0]}, this server uses ${schemaVersion}). Upgrade this server.`,
      );
    const [log] = await query({ text: 'SELECT entry_version FROM service.log WHERE id = $1', values: [theLog] });
    assertReadable(name, Number(log?.[0]));
  });
}

/** Throws an `UnusableStorageError` if this server does not know the format of the log. */
export function assertReadable(name: string, version: number): void {
  if (version > entryVersion) throw newerFormat(name, version);
  if (version < oldestEntryVersion)
    throw new UnusableStorageError(`${name} has the format ${version}, which is older than any that can be read.`);
}
