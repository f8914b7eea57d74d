// The timer and the clock of the environment, from before a test replaces them by fake ones.
const realSetTimeout = globalThis.setTimeout;
const realPerformance = globalThis.performance;
// Some fakes replace the method instead of the object.
const readNow = realPerformance.now;

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => realSetTimeout(resolve, ms));
}

/** Returns the milliseconds since the page or the process started. */
export function realNow(): number {
  return readNow.call(realPerformance);
}
