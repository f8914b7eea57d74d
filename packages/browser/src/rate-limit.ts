const capacity = 10;

/**
 * Returns a token bucket of ten errors, which regains one token each second: a function that takes a token, or returns
 * false if none is left. `timestamp` is in milliseconds since 1970, and may go back.
 */
export function createRateLimit(): (timestamp: number) => boolean {
  let tokens = capacity;
  let refilledAt = 0;
  return (timestamp) => {
    tokens = Math.min(capacity, tokens + Math.max(0, timestamp - refilledAt) / 1_000);
    refilledAt = timestamp;
    if (tokens < 1) return false;
    tokens--;
    return true;
  };
}
