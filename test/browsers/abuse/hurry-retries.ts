/**
 * Runs in the page before init(): retries, which wait for seconds, come 20 times sooner. Longer delays are time limits,
 * which a busy machine needs.
 */
export function hurryRetries(): void {
  const { setTimeout } = self;
  self.setTimeout = ((run: () => void, ms = 0) => setTimeout(run, ms < 5_000 ? ms / 20 : ms)) as typeof self.setTimeout;
}
