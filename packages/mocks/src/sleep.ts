/** The timer of the environment, from before a test replaces it by a fake one. */
const realSetTimeout = globalThis.setTimeout;

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => realSetTimeout(resolve, ms));
}
