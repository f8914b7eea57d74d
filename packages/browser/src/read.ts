/** A property of any value; undefined where there is none to read: null, a getter that fails, a revoked proxy. */
export function read(value: unknown, key: string): unknown {
  try {
    return (value as Record<string, unknown> | undefined)?.[key];
  } catch {
    return undefined;
  }
}
