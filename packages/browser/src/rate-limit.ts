// A token bucket of 10, which regains one token each second.
let tokensUsed = 0;

export function isRateLimited(): boolean {
  return tokensUsed > 9;
}

/** Takes a token, even if none is left: the bucket then takes longer to refill. */
export function takeToken(): void {
  setTimeout(() => tokensUsed--, 1_000 * ++tokensUsed);
}
