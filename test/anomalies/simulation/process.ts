import type { Timing } from '../../../packages/server/src/time/timing.ts';
import type { SeededRandom } from '../../test-utils/seeded-random.mjs';
import type { FaultInjector } from './fault-injector.ts';
import type { Scheduler } from './scheduler.ts';

/** One operation of the storage. */
export interface StorageOperation<Result> {
  /** For the trace: `append log/00000001.log 214`. */
  name: string;
  perform: () => Result;
  /** The effect if it is interrupted halfway. Default: none. */
  performHalf?: () => void;
}

/** Random blob names, which would make traces differ. */
const randomName = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g;
const slow = { chance: 0.05, ms: 60 };

/** A process of the server, seen by its storage. After its death its pending operations neither run nor resolve. */
export class Process {
  isAlive = true;
  /** Called when the process dies. */
  onDeath: () => void = () => undefined;
  /** Called before an operation on a blob. */
  onBlob: () => void = () => undefined;
  readonly #scheduler: Scheduler;
  readonly #faults: FaultInjector;
  readonly #random: SeededRandom;

  constructor(scheduler: Scheduler, faults: FaultInjector, random: SeededRandom) {
    this.#scheduler = scheduler;
    this.#faults = faults;
    this.#random = random;
  }

  /** The process's timers. Each reading of the clock advances it by 1 ms, so that work is split into small slices. */
  readonly timing: Timing = {
    now: () => this.#scheduler.time + ++this.#checks,
    sleep: (ms) => new Promise((resolve) => this.#scheduler.after(ms, resolve)),
    every: (ms, work) => {
      let isOver = false;
      const next = (): void => {
        this.#scheduler.after(
          ms,
          () => {
            if (isOver || !this.isAlive) return;
            work();
            next();
          },
          true,
        );
      };
      next();
      return () => void (isOver = true);
    },
  };
  #checks = 0;

  die(): void {
    if (!this.isAlive) return;
    this.isAlive = false;
    this.#faults.inFlight = 0;
    this.#scheduler.clear();
    this.onDeath();
  }

  /** Runs an operation after a random delay, with the injected fault. */
  run<Result>(operation: StorageOperation<Result>): Promise<Result> {
    // The promise of a dead process never resolves.
    if (!this.isAlive) return new Promise(() => undefined);
    if (operation.name.includes('blob')) this.onBlob();
    const fault = this.#faults.next();
    const number = this.#faults.isPaused ? '' : `#${this.#faults.operations} `;
    const delayMs = this.#random.next() * (this.#random.chance(slow.chance) ? slow.ms : 4);
    return new Promise((resolve, reject) => {
      this.#scheduler.after(delayMs, () => {
        if (fault !== 'none') {
          this.#faults.inFlight--;
          this.#faults.lastAt = this.#scheduler.time;
        }
        const name = operation.name.replace(randomName, '…');
        this.#scheduler.note(`${number}${name}${fault === 'none' ? '' : `: ${fault}`}`);
        if (fault === 'fails halfway' || fault === 'dies halfway') operation.performHalf?.();
        if (fault.startsWith('dies')) {
          if (fault === 'dies afterwards') attempt(operation.perform);
          return this.die();
        }
        if (fault === 'fails' || fault === 'fails halfway') return reject(failure(this.#random));
        try {
          const result = operation.perform();
          if (fault === 'none') resolve(result);
          else reject(failure(this.#random));
        } catch (error) {
          reject(error as Error);
        }
      });
    });
  }
}

/** Runs an operation whose error nothing can report, because the process dies. */
function attempt(perform: () => unknown): void {
  try {
    perform();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
  }
}

function failure(random: SeededRandom): Error {
  return systemError(random.pick(['EIO', 'ENOSPC', 'EMFILE']));
}

export function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: simulated`), { code });
}
