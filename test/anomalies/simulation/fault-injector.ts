import type { SeededRandom } from '../../test-utils/seeded-random.mjs';

/** Faults of one storage operation. `halfway`: it has taken effect in part. */
export const faults = ['fails', 'fails halfway', 'fails afterwards'] as const;
export const deadlyFaults = ['dies before', 'dies halfway', 'dies afterwards'] as const;
export type Fault = (typeof faults)[number] | (typeof deadlyFaults)[number];
export type FaultOrNone = Fault | 'none';

/** Decides for each storage operation whether a fault is injected: a planned one, or one at random. */
export class FaultInjector {
  /** Operations so far, without those while paused. */
  operations = 0;
  /** Injected faults so far. */
  injected = 0;
  /** Injected faults whose operation is not done. A request that waits for that operation fails later. */
  inFlight = 0;
  /** The simulated time of the last fault. */
  lastAt = -Infinity;
  /** While true, no faults are injected and operations are not counted. */
  isPaused = false;
  /** The probability that an operation fails. */
  failureRate = 0;
  /** Planned faults by operation number. */
  readonly plannedFaults = new Map<number, Fault>();
  readonly #random: SeededRandom;

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  /** Cancels random and planned faults. */
  clear(): void {
    this.failureRate = 0;
    this.plannedFaults.clear();
  }

  next(): FaultOrNone {
    if (this.isPaused) return 'none';
    const planned = this.plannedFaults.get(++this.operations);
    const fault = planned ?? (this.#random.chance(this.failureRate) ? this.#random.pick(faults) : 'none');
    if (fault !== 'none') {
      this.injected++;
      this.inFlight++;
    }
    return fault;
  }
}
