import { setTimeout as sleep } from 'node:timers/promises';

/** Time that, unlike the time of day, only ever grows: the machine's, or in a simulation one that can be lived twice. */
export interface Timing {
  /** Milliseconds since some moment. */
  now(): number;
  sleep(ms: number): Promise<void>;
  /** Does something again and again, which does not keep the process alive. Answers with what ends it. */
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
