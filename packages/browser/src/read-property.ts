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
