/** Recent errors by identity: when their repeats are reported again, and the number dropped. At most 41 entries. */
export const recentErrors = new Map<unknown, [until: number, repeats: number]>();

/**
 * Calls `report` unless the same error was reported within five seconds; then the error is counted. The next call gets
 * that count. Errors are the same if their `identity` is the same Map key. `now` is in milliseconds since 1970.
 */
export function dedupe(identity: unknown, now: number, report: (repeats: number | undefined) => void): void {
  const recent = recentErrors.get(identity);
  if (now < (recent?.[0] as number)) recent![1]++;
  // The rate limit lets far fewer than 40 errors through in five seconds.
  else if (recentErrors.size < 41) {
    recentErrors.set(identity, [now + 5_000, 0]);
    report(recent?.[1]);
  }
}
