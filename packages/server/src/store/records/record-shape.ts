/**
 * Returns a record with these keys, to be copied with `{ ...shape }` and filled in. V8 keeps such copies in its fast
 * form; an object to which a loop adds more than twelve keys becomes a hash table, several times as slow.
 */
export function recordShape(keys: readonly string[]): Readonly<Record<string, unknown>> {
  return JSON.parse(JSON.stringify(Object.fromEntries(keys.map((key) => [key, null])))) as Record<string, unknown>;
}
