import { ProblemError } from '../problem.ts';

interface QueuedHash {
  /** The key by which clients share the queue, such as an address or a team. */
  client: string;
  isNew: boolean;
  begin(): Promise<void>;
  reject(): void;
}

const maxQueued = 20;
/** Hashing new passwords must leave room for users who sign in. */
const maxNewQueued = 10;

/**
 * Hashes passwords one at a time: a hash occupies one of the few threads that also write to the disk, and reports must
 * not wait for sign-ins. Clients take turns. When the queue is full, the client with the most entries loses its newest
 * one to a client with at least two fewer, so no client can keep the others out.
 */
export class PasswordQueue {
  readonly #queue: QueuedHash[] = [];
  #isBusy = false;
  /** The client of the last entry that was started. */
  #lastClient = '';

  /**
   * Runs `work` in its turn. Rejects with `overloaded` if the queue has no room for this client, or if the client loses
   * this entry to another one.
   */
  async run<Result>(client: string, isNew: boolean, work: () => Promise<Result>): Promise<Result> {
    if (isNew) this.#makeRoom(client, maxNewQueued, (entry) => entry.isNew);
    this.#makeRoom(client, maxQueued, () => true);
    return new Promise<Result>((resolve, reject) => {
      const begin = (): Promise<void> => work().then(resolve, reject);
      this.#queue.push({ client, isNew, begin, reject: () => reject(overloaded()) });
      void this.#runAll();
    });
  }

  #makeRoom(client: string, max: number, isCounted: (entry: QueuedHash) => boolean): void {
    const counted = this.#queue.filter(isCounted);
    if (counted.length < max) return;
    const counts = new Map([[client, 0]]);
    for (const entry of counted) counts.set(entry.client, (counts.get(entry.client) ?? 0) + 1);
    const [[largest, count] = ['', 0]] = [...counts].toSorted(([, a], [, b]) => b - a);
    if (count <= (counts.get(client) ?? 0) + 1) throw overloaded();
    const last = counted.findLast((entry) => entry.client === largest) as QueuedHash;
    this.#queue.splice(this.#queue.indexOf(last), 1);
    last.reject();
  }

  async #runAll(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    for (let next = this.#takeNext(); next; next = this.#takeNext()) {
      this.#lastClient = next.client;
      await next.begin();
    }
    this.#isBusy = false;
  }

  #takeNext(): QueuedHash | undefined {
    const other = this.#queue.findIndex(({ client }) => client !== this.#lastClient);
    return this.#queue.splice(Math.max(other, 0), 1)[0];
  }
}

function overloaded(): ProblemError {
  return new ProblemError('overloaded', 'Too many passwords are being checked. Try again in a few seconds.', {
    retryAfterSeconds: 5,
  });
}
