/** Calls `run`. If it throws, returns the result of `onError`, or undefined: the SDK must not break the page. */
export function attempt<Result>(
  run: () => Result,
  onError?: (error: unknown) => Result | undefined,
): Result | undefined {
  try {
    return run();
  } catch (error) {
    return onError?.(error);
  }
}
