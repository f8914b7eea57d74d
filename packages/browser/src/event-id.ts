let prefix = '';
let count = 0;

/**
 * Returns a UUID: a random beginning for each page load, and a number, because a random id takes as long as the rest of
 * a capture. Pages loaded by plain HTTP have no crypto.randomUUID. Pages that seed Math.random() would repeat the ids
 * of other pages, and the server would drop their reports as duplicates.
 */
export function createEventId(): string {
  if (!prefix) {
    // Only very old browsers have no crypto.
    const bytes = globalThis.crypto?.getRandomValues(new Uint8Array(24));
    prefix = 'xxxxxxxx-xxxx-4xxx-axxx-'.replace(/x/g, (_, at) =>
      (15 & (bytes?.[at] ?? Math.random() * 16)).toString(16),
    );
  }
  return prefix + (++count).toString(16).padStart(12, '0');
}
