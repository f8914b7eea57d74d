import { lookup } from 'node:dns/promises';
import { HostsFile } from './hosts-file.ts';
import { NameServers, type Address, type QueryResult } from './name-servers.ts';

/*
 * `lookup` of Node.js runs in the thread pool of four threads that the storage needs as well. A silent name server
 * occupies a thread for many seconds, even after the caller has timed out. So name servers are queried first, without a
 * thread, except for names of this machine. By default their response is final: a name that they don't resolve could
 * only lead into a private network. Without a response, or if private networks are allowed, the machine decides,
 * because it knows its own network. Names whose name server is silent have a separate queue, so they can't delay the
 * others.
 */
const maxLookups = 2;
const maxLookupsOfSilentNames = 1;
/** Maximum time that a name waits for a thread. */
const maxQueueMs = 5_000;

/** The lookup waited too long in the queue. The name was not looked up, so this error says nothing about it. */
export class LookupQueueTimeoutError extends Error {
  override readonly name = 'LookupQueueTimeoutError';
}

/** Returns whether an error was caused by the lookup queue, so the name was never looked up. */
export function isLookupQueueTimeout(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof LookupQueueTimeoutError;
}

interface Sources {
  /** Resolves with true if this machine resolves the name itself, for example from its hosts file. */
  isLocal?: (host: string) => Promise<boolean>;
  nameServers?: (host: string) => Promise<QueryResult>;
  machine?: (host: string) => Promise<readonly Address[]>;
}

/** Resolves host names. A name whose name server is silent delays only other such names. */
export class NameLookup {
  readonly #isPrivateAllowed: boolean;
  readonly #sources: Required<Sources>;
  readonly #lookups = new LookupQueue(maxLookups);
  readonly #silentLookups = new LookupQueue(maxLookupsOfSilentNames);

  constructor(isPrivateAllowed: boolean, sources: Sources = {}) {
    const [hosts, nameServers] = [new HostsFile(), new NameServers()];
    this.#isPrivateAllowed = isPrivateAllowed;
    this.#sources = {
      isLocal: (host) => hosts.has(host),
      nameServers: (host) => nameServers.query(host),
      machine: (host) => lookup(host, { all: true }),
      ...sources,
    };
  }

  /**
   * Resolves with all addresses of a name, or with none if the response of the name servers is final and contains none.
   * Rejects if the machine can't resolve the name, with a LookupQueueTimeoutError if its queue is too long, and with
   * the reason of `stop` once it aborts.
   */
  async find(host: string, stop: AbortSignal): Promise<readonly Address[]> {
    if (await rejectOnAbort(this.#sources.isLocal(host), stop)) return this.#askMachine(host, this.#lookups, stop);
    const { addresses, kind } = await rejectOnAbort(this.#sources.nameServers(host), stop);
    if (!this.#isPrivateAllowed && (addresses.length > 0 || kind === 'responded')) return addresses;
    if (kind !== 'silent') return this.#askMachine(host, this.#lookups, stop);
    return this.#askMachine(host, this.#silentLookups, stop).catch((cause: unknown) => {
      // Only names of silent name servers are in this queue. So the failure counts against the name, not the queue.
      throw cause instanceof LookupQueueTimeoutError
        ? new Error('Its name server does not respond.', { cause })
        : cause;
    });
  }

  async #askMachine(host: string, queue: LookupQueue, stop: AbortSignal): Promise<readonly Address[]> {
    await queue.wait(stop);
    return rejectOnAbort(
      this.#sources.machine(host).finally(() => queue.leave()),
      stop,
    );
  }
}

/**
 * Lets a limited number of lookups run at a time. Each of the others waits for its turn, until it aborts or times out.
 */
class LookupQueue {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(maxConcurrent: number) {
    this.#free = maxConcurrent;
  }

  async wait(stop: AbortSignal): Promise<void> {
    stop.throwIfAborted();
    if (this.#free > 0) {
      this.#free--;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const end = (): void => {
        clearTimeout(late);
        stop.removeEventListener('abort', giveUp);
        this.#waiting.delete(begin);
      };
      const begin = (): void => {
        end();
        resolve();
      };
      const giveUp = (): void => {
        end();
        reject(
          stop.aborted
            ? (stop.reason as Error)
            : new LookupQueueTimeoutError('Too many other host names are being resolved.'),
        );
      };
      const late = setTimeout(giveUp, maxQueueMs).unref();
      stop.addEventListener('abort', giveUp);
      this.#waiting.add(begin);
    });
  }

  leave(): void {
    const [next] = this.#waiting;
    if (!next) {
      this.#free++;
      return;
    }
    next();
  }
}

/** Rejects with the reason of `stop` as soon as it aborts. The work itself continues in the background. */
export function rejectOnAbort<Result>(work: Promise<Result>, stop: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(stop.reason as Error);
    if (stop.aborted) giveUp();
    stop.addEventListener('abort', giveUp);
    void work.then(resolve, reject).finally(() => stop.removeEventListener('abort', giveUp));
  });
}
