import { readFileSync } from 'node:fs';
import type { ClientConfig } from 'pg';
import { UnusableStorageError } from '../../store/log/storage-errors.ts';

/** An address that names one or more hosts, of which the primary is used. */
export interface PostgresAddress {
  /** The address without its password, for the operator. */
  name: string;
  /** How to connect to each host. */
  hosts: ClientConfig[];
}

const defaultPort = 5432;
/** A parameter of the address that this server reads itself. All others are those of `pg`, such as `sslmode`. */
const passwordFileParameter = 'password_file';
/** Without `allow` and `prefer`: `pg` can't connect without TLS after a connection with TLS has failed. */
const sslModes: readonly string[] = ['disable', 'no-verify', 'require', 'verify-ca', 'verify-full'];

/**
 * Parses an address such as `postgres://user@host:5432,other:5432/database?sslmode=verify-full`. The password may be in
 * the file that `password_file` names, or in `PGPASSWORD`. Throws an `UnusableStorageError` if the address or that file
 * can't be read.
 */
export function parsePostgresAddress(url: string): PostgresAddress {
  const parsed = splitAddress(url);
  if (!parsed)
    throw new UnusableStorageError(
      'storage: expected postgres://USER@HOST:PORT,HOST:PORT/DATABASE. Percent-encode the special characters of a ' +
        `password in it (@ is %40), or put it in a file and add ?${passwordFileParameter}=PATH`,
    );
  const { user, password, hosts, database, query } = parsed;
  const passwordFile = query.get(passwordFileParameter);
  query.delete(passwordFileParameter);
  const sslMode = query.get('sslmode');
  if (sslMode !== null && !sslModes.includes(sslMode))
    throw new UnusableStorageError(`storage: sslmode ${sslMode} is not supported. Use one of ${sslModes.join(', ')}`);
  if (sslMode === 'verify-ca' && !query.has('sslrootcert'))
    throw new UnusableStorageError('storage: sslmode verify-ca needs sslrootcert=PATH, the certificate of the CA');
  // pg-connection-string treats both like `verify-full` and announces that this will change.
  if (sslMode === 'require' || sslMode === 'verify-ca') query.set('uselibpqcompat', 'true');
  const secret = passwordFile === null ? password : readPassword(passwordFile);
  const login = user && encodeURIComponent(user);
  // `pg` ignores a password that is not in the connection string.
  const credentials = secret === null ? login : `${login}:${encodeURIComponent(secret)}`;
  return {
    name: `postgres://${withAt(login)}${hosts.join(',')}/${database}`,
    hosts: hosts.map((host) => ({
      connectionString: `postgres://${withAt(credentials)}${host}/${database}${query.size > 0 ? `?${query}` : ''}`,
    })),
  };
}

/** Returns hosts and database of an address in one spelling, in which all servers of this storage agree. */
export function postgresDatabase(url: string): string {
  const { hosts = [], database = url } = splitAddress(url) ?? {};
  return `postgres://${hosts.map((host) => host.toLowerCase()).toSorted()}/${database}`;
}

function withAt(login: string): string {
  return login && `${login}@`;
}

function splitAddress(text: string): {
  user: string;
  password: string | null;
  hosts: string[];
  database: string;
  query: URLSearchParams;
} | null {
  const match = /^postgres(?:ql)?:\/\/(?:([^:@/?#]*)(?::([^@/?#]*))?@)?([^@/?#]+)\/([^/?#]+)(?:\?([^#]*))?$/.exec(text);
  if (!match) return null;
  const [, user = '', password, hostList = '', database = '', query = ''] = match;
  const hosts = hostList.split(',').map((host) => (/:\d+$/.test(host) ? host : `${host}:${defaultPort}`));
  try {
    if (!hosts.every((host) => URL.canParse(`postgres://${host}/`))) return null;
    return {
      user: decodeURIComponent(user),
      password: password === undefined ? null : decodeURIComponent(password),
      hosts,
      // `pg` would encode the whole address again because of a blank.
      database: encodeURIComponent(decodeURIComponent(database)),
      query: new URLSearchParams(query),
    };
  } catch {
    // A percent sign that encodes nothing.
    return null;
  }
}

function readPassword(path: string): string {
  let password: string;
  try {
    password = readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new UnusableStorageError(`storage: ${passwordFileParameter} can't be read (${(error as Error).message})`, {
      cause: error,
    });
  }
  if (password === '') throw new UnusableStorageError(`storage: ${passwordFileParameter} is empty: ${path}`);
  return password;
}
