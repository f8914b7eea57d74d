import { Resolver } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';

export interface Address {
  address: string;
  family: number;
}

export interface Answer {
  addresses: readonly Address[];
  /** `silent`: at least one query failed or timed out. `unusable`: no name server accepts queries. */
  kind: 'answered' | 'silent' | 'unusable';
}

const firstAttemptMs = 1_500;
const attempts = 2;
/** Name servers are asked one after the other, so the number of attempts alone does not limit the time. */
const queryTimeoutMs = 4_000;
/** The machine's list of name servers may change. */
const maxResolverAgeMs = 60_000;

/**
 * Queries the name servers of this machine without its thread pool, so unanswered queries delay nothing else.
 * Other sources of the machine, such as its hosts file, are not consulted.
 */
export class NameServers {
  readonly #addresses: readonly string[] | null;
  #resolver: Resolver | null = null;
  #createdAt = 0;

  /** `addresses`: name servers to use instead of the machine's. */
  constructor(addresses: readonly string[] | null = null) {
    this.#addresses = addresses;
  }

  async ask(host: string): Promise<Answer> {
    const resolver = this.#current();
    const outcomes = await Promise.all([
      withTimeout(resolver.resolve4(host), 4),
      withTimeout(resolver.resolve6(host), 6),
    ]);
    const kindOfCode = outcomes.map(({ kind }) => kind);
    return {
      addresses: (hasIpv4() ? outcomes : outcomes.toReversed()).flatMap(({ addresses }) => addresses),
      kind:
        kindOfCode.find((kind) => kind === 'silent') ?? kindOfCode.find((kind) => kind === 'unusable') ?? 'answered',
    };
  }

  #current(): Resolver {
    const now = performance.now();
    if (!this.#resolver || now - this.#createdAt >= maxResolverAgeMs) {
      this.#resolver = new Resolver({ timeout: firstAttemptMs, tries: attempts });
      if (this.#addresses) this.#resolver.setServers(this.#addresses);
      this.#createdAt = now;
    }
    return this.#resolver;
  }
}

async function withTimeout(query: Promise<string[]>, family: number): Promise<Answer> {
  let late: NodeJS.Timeout | null = null;
  const silent = new Promise<Answer>((resolve) => {
    late = setTimeout(() => resolve({ addresses: [], kind: 'silent' }), queryTimeoutMs).unref();
  });
  const answered = query.then(
    (found): Answer => ({ addresses: found.map((address) => ({ address, family })), kind: 'answered' }),
    ({ code }: NodeJS.ErrnoException): Answer => ({ addresses: [], kind: kinds[code ?? ''] ?? 'silent' }),
  );
  try {
    return await Promise.race([answered, silent]);
  } finally {
    if (late) clearTimeout(late);
  }
}

/** All other codes count as silence: a name server also sends one if its own upstream did not answer. */
const kinds: Record<string, Answer['kind'] | undefined> = {
  ENOTFOUND: 'answered',
  ENODATA: 'answered',
  ECONNREFUSED: 'unusable',
};

/** Returns whether this machine has a public or private IPv4 address. Without one it reaches no host by IPv4. */
function hasIpv4(): boolean {
  return Object.values(networkInterfaces())
    .flat()
    .some((own) => own?.family === 'IPv4' && !own.internal);
}
