import { Resolver } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';

export interface Address {
  address: string;
  family: number;
}

export interface Answer {
  addresses: readonly Address[];
  /** `silent`: not all that was asked was answered, or not in time; `unusable`: there is nobody to ask. */
  kind: 'answered' | 'silent' | 'unusable';
}

const firstTryMs = 1_500;
const tries = 2;
/** Several name servers are asked one after the other, so the tries alone are no limit. */
const longestMs = 4_000;
/** The machine may be told of other name servers meanwhile. */
const renewMs = 60_000;

/**
 * The name servers of this machine, asked without its threads: however many names are looked up that are never answered,
 * nobody else waits for them. They know nothing of what the machine has besides, such as its hosts file.
 */
export class NameServers {
  readonly #addresses: readonly string[] | null;
  #resolver: Resolver | null = null;
  #madeAt = 0;

  /** `addresses`: others than those that the machine has. */
  constructor(addresses: readonly string[] | null = null) {
    this.#addresses = addresses;
  }

  async ask(host: string): Promise<Answer> {
    const resolver = this.#current();
    const outcomes = await Promise.all([outcomeOf(resolver.resolve4(host), 4), outcomeOf(resolver.resolve6(host), 6)]);
    const kinds = outcomes.map(({ kind }) => kind);
    return {
      addresses: (hasIpv4() ? outcomes : outcomes.toReversed()).flatMap(({ addresses }) => addresses),
      kind: kinds.find((kind) => kind === 'silent') ?? kinds.find((kind) => kind === 'unusable') ?? 'answered',
    };
  }

  #current(): Resolver {
    const now = performance.now();
    if (!this.#resolver || now - this.#madeAt >= renewMs) {
      this.#resolver = new Resolver({ timeout: firstTryMs, tries });
      if (this.#addresses) this.#resolver.setServers(this.#addresses);
      this.#madeAt = now;
    }
    return this.#resolver;
  }
}

async function outcomeOf(asked: Promise<string[]>, family: number): Promise<Answer> {
  let late: NodeJS.Timeout | null = null;
  const silent = new Promise<Answer>((resolve) => {
    late = setTimeout(() => resolve({ addresses: [], kind: 'silent' }), longestMs).unref();
  });
  const answered = asked.then(
    (found): Answer => ({ addresses: found.map((address) => ({ address, family })), kind: 'answered' }),
    ({ code }: NodeJS.ErrnoException): Answer => ({ addresses: [], kind: kinds[code ?? ''] ?? 'silent' }),
  );
  try {
    return await Promise.race([answered, silent]);
  } finally {
    if (late) clearTimeout(late);
  }
}

/** All others are as good as silence: so a name server also says that it got no answer from the one it asked itself. */
const kinds: Record<string, Answer['kind'] | undefined> = {
  ENOTFOUND: 'answered',
  ENODATA: 'answered',
  ECONNREFUSED: 'unusable',
};

/** One without an address of its own reaches nobody by it. */
function hasIpv4(): boolean {
  return Object.values(networkInterfaces())
    .flat()
    .some((own) => own?.family === 'IPv4' && !own.internal);
}
