/** Calls `run`. Returns undefined if it throws, and passes the error to `onError`: the SDK must not break the page. */
export function attempt<Result>(run: () => Result, onError?: (error: unknown) => void): Result | undefined {
  try {
    return run();
  } catch (error) {
    onError?.(error);
  }
}

/** Reads a property of any value. Returns undefined if there is none, or if its getter throws. */
export function readProperty(value: unknown, name: string): unknown {
  return attempt(() => (value as Record<string, unknown> | null | undefined)?.[name]);
}

/** Reads a property that must be a text. Returns undefined for other types, and for the empty text. */
export function readText(value: unknown, name: string): string | undefined {
  const text = readProperty(value, name);
  if (text && typeof text === 'string') return text;
}
