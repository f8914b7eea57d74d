import { Resolver } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';

export interface Address {
  address: string;
  family: number;
}

/** The result of querying the name servers for a host. */
export interface QueryResult {
  addresses: readonly Address[];
  /**
   * `responded`: all queries got a response, even if the host has no address. `silent`: a query failed or timed out.
   * `unusable`: no name server accepts queries.
   */
  kind: 'responded' | 'silent' | 'unusable';
}

const firstAttemptMs = 1_500;
const attempts = 2;
/** Name servers are queried one after the other, so the number of attempts alone does not limit the time. */
const queryTimeoutMs = 4_000;
/** The machine's list of name servers may change. */
const maxResolverAgeMs = 60_000;

/**
 * Queries the name servers of this machine without its thread pool, so a query without a response delays nothing else.
 * Other sources of the machine, such as its hosts file, are not consulted.
 */
export class NameServers {
  readonly #servers: readonly string[] | null;
  #resolver: Resolver | null = null;
  #createdAt = 0;

  /** `servers`: the addresses of name servers to use instead of the machine's. */
  constructor(servers: readonly string[] | null = null) {
    this.#servers = servers;
  }

  async query(host: string): Promise<QueryResult> {
    const resolver = this.#current();
    const outcomes = await Promise.all([
      withTimeout(resolver.resolve4(host), 4),
      withTimeout(resolver.resolve6(host), 6),
    ]);
    const kinds = outcomes.map(({ kind }) => kind);
    return {
      addresses: (hasIpv4() ? outcomes : outcomes.toReversed()).flatMap(({ addresses }) => addresses),
      kind: kinds.find((kind) => kind === 'silent') ?? kinds.find((kind) => kind === 'unusable') ?? 'responded',
    };
  }

  #current(): Resolver {
    const now = performance.now();
    if (!this.#resolver || now - this.#createdAt >= maxResolverAgeMs) {
      this.#resolver = new Resolver({ timeout: firstAttemptMs, tries: attempts });
      if (this.#servers) this.#resolver.setServers(this.#servers);
      this.#createdAt = now;
    }
    return this.#resolver;
  }
}

async function withTimeout(query: Promise<string[]>, family: number): Promise<QueryResult> {
  let late: NodeJS.Timeout | null = null;
  const silent = new Promise<QueryResult>((resolve) => {
    late = setTimeout(() => resolve({ addresses: [], kind: 'silent' }), queryTimeoutMs).unref();
  });
  const response = query.then(
    (found): QueryResult => ({ addresses: found.map((address) => ({ address, family })), kind: 'responded' }),
    ({ code }: NodeJS.ErrnoException): QueryResult => ({ addresses: [], kind: kindsByCode[code ?? ''] ?? 'silent' }),
  );
  try {
    return await Promise.race([response, silent]);
  } finally {
    if (late) clearTimeout(late);
  }
}

/** All other codes count as silent: a name server also sends one if its own upstream did not respond. */
const kindsByCode: Record<string, QueryResult['kind'] | undefined> = {
  ENOTFOUND: 'responded',
  ENODATA: 'responded',
  ECONNREFUSED: 'unusable',
};

/** Returns whether this machine has a public or private IPv4 address. Without one it reaches no host by IPv4. */
function hasIpv4(): boolean {
  return Object.values(networkInterfaces())
    .flat()
    .some((own) => own?.family === 'IPv4' && !own.internal);
}
