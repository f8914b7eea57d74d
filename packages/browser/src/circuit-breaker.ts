const maxFailures = 3;
const pauseMs = 60_000;

/**
 * Counts consecutive failures. After three, it is open for a minute: nothing is sent. The next failure opens it for another
 * minute, and a success resets it.
 */
export function createCircuitBreaker() {
  let failures = 0;
  let failedAt = 0;
  return {
    isOpen: (): boolean => failures >= maxFailures && Date.now() < failedAt + pauseMs,

    /** Records the result of a request that began at `startedAt`. Concurrent requests that fail count as one failure. */
    record(isSuccess: boolean, startedAt: number): void {
      if (isSuccess) failures = 0;
      else if (startedAt > failedAt) {
        failures++;
        failedAt = Date.now();
      }
    },
  };
}
