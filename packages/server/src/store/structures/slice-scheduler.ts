/** Works until a time of `performance.now()` and a little longer. Returns true once it is done. */
export type SlicedWork = (endsAt: number) => boolean;

/** Work in one iteration of the event loop. Requests of others are read between two iterations. */
const iterationSliceMs = 2;

interface SlicedTask {
  work: SlicedWork;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/**
 * Runs long work in short slices, one iteration of the event loop after the other. Owners take turns: one that starts a
 * hundred long tasks delays those of another owner by one slice each time.
 */
export class SliceScheduler {
  /** Tasks by owner. The owner that was served last is last. */
  readonly #tasks = new Map<number, SlicedTask[]>();
  #isScheduled = false;

  /** Resolves once the work of an owner is done. Rejects with what it throws. */
  run(owner: number, work: SlicedWork): Promise<void> {
    return new Promise((resolve, reject) => {
      const tasks = this.#tasks.get(owner) ?? [];
      tasks.push({ work, resolve, reject });
      this.#tasks.set(owner, tasks);
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      const endsAt = performance.now() + iterationSliceMs;
      do this.#workOnNext(endsAt);
      while (this.#tasks.size > 0 && performance.now() < endsAt);
      if (this.#tasks.size > 0) this.#schedule();
    });
  }

  /** Works on the oldest task of the next owner. */
  #workOnNext(endsAt: number): void {
    for (const [owner, tasks] of this.#tasks) {
      this.#tasks.delete(owner);
      const [task] = tasks;
      if (task && isSettledBy(task, endsAt)) tasks.shift();
      if (tasks.length > 0) this.#tasks.set(owner, tasks);
      return;
    }
  }
}

function isSettledBy({ work, resolve, reject }: SlicedTask, endsAt: number): boolean {
  try {
    if (!work(endsAt)) return false;
    resolve();
  } catch (error) {
    reject(error);
  }
  return true;
}
