import { setTimeout as sleep } from 'node:timers/promises';

/** A monotonic clock with timers. Simulations use one that can be replayed. */
export interface Timing {
  /** Milliseconds since an arbitrary moment. */
  now(): number;
  sleep(ms: number): Promise<void>;
  /** Runs a function at an interval without keeping the process alive. Returns a function that stops it. */
  every(ms: number, work: () => void): () => void;
}

export const machineTiming: Timing = {
  now: () => performance.now(),
  sleep: (ms) => sleep(ms),
  every(ms, work) {
    const timer = setInterval(work, ms).unref();
    return () => clearInterval(timer);
  },
};
