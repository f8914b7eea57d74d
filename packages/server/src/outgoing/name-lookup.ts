import { lookup } from 'node:dns/promises';
import { HostsFile } from './hosts-file.ts';
import { NameServers, type Address, type Answer } from './name-servers.ts';

/*
 * The machine resolves names in threads, of which a process has four, and the storage needs them, too. A name server that
 * says nothing keeps one for many seconds, whoever has given up meanwhile. So name servers are asked first without one.
 * What they say is all where strangers choose the names: whoever is found there needs no thread, and who is not would lead
 * into a private network, if anywhere. Where those are allowed, the machine has the last word, which knows its network
 * better: then one that says nothing is looked up behind all others of that kind.
 */
const mostAnswered = 2;
const mostOthers = 1;
/** For so long a name waits for a thread. */
const longestTurnMs = 5_000;

/** Too many others are looked up, which is not the fault of this name: nothing is known of it yet. */
export class LookupQueueTimeoutError extends Error {
  override readonly name = 'NoTurnError';
}

/** Whether an error says that a name has not been looked up: nothing is known of it yet. */
export function isLookupQueueTimeout(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof LookupQueueTimeoutError;
}

interface Asked {
  /** Whether a name means something on this machine. */
  isOwn?: (host: string) => Promise<boolean>;
  nameServers?: (host: string) => Promise<Answer>;
  machine?: (host: string) => Promise<readonly Address[]>;
}

/** Looks names up. */
export class NameLookup {
  readonly #isPrivateAllowed: boolean;
  readonly #asked: Required<Asked>;
  readonly #answered = new LookupQueue(mostAnswered);
  readonly #others = new LookupQueue(mostOthers);

  constructor(isPrivateAllowed: boolean, asked: Asked = {}) {
    const [hosts, nameServers] = [new HostsFile(), new NameServers()];
    this.#isPrivateAllowed = isPrivateAllowed;
    this.#asked = {
      isOwn: (host) => hosts.has(host),
      nameServers: (host) => nameServers.ask(host),
      machine: (host) => lookup(host, { all: true }),
      ...asked,
    };
  }

  /** Rejects if there is no such name, and with the reason of `stop` once that says so, also while it waits for its turn. */
  async find(host: string, stop: AbortSignal): Promise<readonly Address[]> {
    if (await rejectOnAbort(this.#asked.isOwn(host), stop)) return this.#askMachine(host, this.#answered, stop);
    const { addresses, kind } = await rejectOnAbort(this.#asked.nameServers(host), stop);
    if (!this.#isPrivateAllowed && (addresses.length > 0 || kind === 'answered')) return addresses;
    if (kind !== 'silent') return this.#askMachine(host, this.#answered, stop);
    return this.#askMachine(host, this.#others, stop).catch((cause: unknown) => {
      // That it has to wait so long is its own fault.
      throw cause instanceof LookupQueueTimeoutError ? new Error('Its name server says nothing.', { cause }) : cause;
    });
  }

  async #askMachine(host: string, row: LookupQueue, stop: AbortSignal): Promise<readonly Address[]> {
    await row.wait(stop);
    return rejectOnAbort(
      this.#asked.machine(host).finally(() => row.leave()),
      stop,
    );
  }
}

/** Lets so many at a time through; the others wait, and leave when they are told to stop, or when it takes too long. */
class LookupQueue {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(atOnce: number) {
    this.#free = atOnce;
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
          stop.aborted ? (stop.reason as Error) : new LookupQueueTimeoutError('Too many other names are looked up.'),
        );
      };
      const late = setTimeout(giveUp, longestTurnMs).unref();
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

/** What is left behind may go on for a while; nobody waits for it. */
export function rejectOnAbort<Result>(work: Promise<Result>, stop: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(stop.reason as Error);
    if (stop.aborted) giveUp();
    stop.addEventListener('abort', giveUp);
    void work.then(resolve, reject).finally(() => stop.removeEventListener('abort', giveUp));
  });
}
