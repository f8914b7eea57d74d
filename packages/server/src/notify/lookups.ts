import { lookup } from 'node:dns/promises';

/*
 * The machine resolves names in threads, of which a process has four, and the storage needs them, too. A name server that
 * says nothing keeps one for many seconds, whoever has given up meanwhile. So only a few names are looked up at a time, and
 * those that were found quickly before wait for no others.
 */
const mostFound = 2;
const mostOthers = 1;
const quickMs = 2_000;
const mostRemembered = 10_000;

export interface Address {
  address: string;
  family: number;
}

/** Looks names up as every program of this machine does. */
export class Lookups {
  /** Names that were found quickly when they were looked up last. */
  readonly #found = new Set<string>();
  readonly #rows = { found: new Row(mostFound), others: new Row(mostOthers) };
  readonly #lookup: (host: string) => Promise<readonly Address[]>;

  constructor(look = (host: string): Promise<readonly Address[]> => lookup(host, { all: true })) {
    this.#lookup = look;
  }

  /** Rejects if there is no such name, and with the reason of `stop` once that says so, also while it waits for its turn. */
  async find(host: string, stop: AbortSignal): Promise<readonly Address[]> {
    const row = this.#found.has(host) ? this.#rows.found : this.#rows.others;
    await row.wait(stop);
    const began = performance.now();
    const looking = this.#lookup(host).finally(() => {
      row.leave();
      if (performance.now() - began >= quickMs) this.#found.delete(host);
    });
    const found = await unlessStopped(looking, stop);
    if (performance.now() - began < quickMs) this.#remember(host);
    return found;
  }

  #remember(host: string): void {
    this.#found.delete(host);
    this.#found.add(host);
    for (const oldest of this.#found) {
      if (this.#found.size <= mostRemembered) return;
      this.#found.delete(oldest);
    }
  }
}

/** Lets so many at a time through; the others wait, and leave when they are told to stop. */
class Row {
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
      const begin = (): void => {
        stop.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = (): void => {
        this.#waiting.delete(begin);
        reject(stop.reason as Error);
      };
      stop.addEventListener('abort', giveUp, { once: true });
      this.#waiting.add(begin);
    });
  }

  leave(): void {
    const [next] = this.#waiting;
    if (!next) {
      this.#free++;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}

/** What is left behind may go on for a while; nobody waits for it. */
export function unlessStopped<Result>(work: Promise<Result>, stop: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(stop.reason as Error);
    if (stop.aborted) giveUp();
    stop.addEventListener('abort', giveUp);
    void work.then(resolve, reject).finally(() => stop.removeEventListener('abort', giveUp));
  });
}
