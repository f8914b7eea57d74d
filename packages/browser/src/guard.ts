/** Calls `run`. If it throws, returns the result of `onError`: the SDK must not break the page. */
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

/** Reads a property of any value. Returns undefined if it is missing, or if its getter throws. */
export function readProperty(value: unknown, name: string): unknown {
  try {
    return (value as Record<string, unknown> | null | undefined)?.[name];
  } catch {
    return undefined;
  }
}

/** Reads a property that must be a text. Returns the empty text for other types. */
export function readText(value: unknown, name: string): string {
  const text = readProperty(value, name);
  return typeof text === 'string' ? text : '';
}
