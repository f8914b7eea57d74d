/**
 * Returns a random UUID. Pages loaded by plain HTTP have no crypto.randomUUID. Pages that seed Math.random() would repeat
 * the ids of other pages, whose reports the server would take for the same.
 */
export function createEventId(): string {
  const bytes = globalThis.crypto?.getRandomValues(new Uint8Array(36)) ?? [];
  // A byte for each position. Only very old browsers have no crypto.
  return 'xxxxxxxx-xxxx-4xxx-axxx-xxxxxxxxxxxx'.replace(/x/g, (_, at: number) =>
    ((bytes[at] ?? Math.random() * 16) & 15).toString(16),
  );
}
