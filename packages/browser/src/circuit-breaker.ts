const maxFailures = 3;
const pauseMs = 60_000;

/** Counts the failures in a row. After three, it is open for a minute: nothing is sent. Then one try decides. */
export function createCircuitBreaker() {
  let failures = 0;
  let failedAt = 0;
  return {
    isOpen: (): boolean => failures >= maxFailures && Date.now() < failedAt + pauseMs,

    /** Counts the result of a try that began at `startedAt`. Tries that fail together are one failure. */
    record(isSuccess: boolean, startedAt: number): void {
      if (isSuccess) failures = 0;
      else if (startedAt > failedAt) {
        failures++;
        failedAt = Date.now();
      }
    },
  };
}
