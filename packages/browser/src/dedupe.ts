const repeatMs = 5_000;
const maxTexts = 50;

interface RecentError {
  /** Until then, the error is a repeat. In milliseconds since 1970. */
  until: number;
  /** The number of repeats that were dropped. */
  repeats: number;
}

/**
 * Finds errors that repeat within five seconds. Two errors are the same if they are one object, or if their `text` (class,
 * message and stack) is equal; values that are not objects are the same if they are equal. Holds no thrown object.
 */
export function createDedupe() {
  const byObject = new WeakMap<object, RecentError>();
  const byText = new Map<unknown, RecentError>();
  const find = (thrown: unknown, text: unknown): RecentError | undefined =>
    (isObject(thrown) && byObject.get(thrown)) || byText.get(text);

  return {
    /** Returns whether an error is a repeat, and counts it. */
    isRepeat(thrown: unknown, text: unknown, now: number): boolean {
      const recent = find(thrown, text);
      if (!recent || now >= recent.until) return false;
      recent.repeats++;
      return true;
    },

    /** Remembers an error that is reported. Returns the number of its repeats since its previous report. */
    add(thrown: unknown, text: unknown, now: number): number | undefined {
      const repeats = find(thrown, text)?.repeats;
      const recent = { until: now + repeatMs, repeats: 0 };
      if (isObject(thrown)) byObject.set(thrown, recent);
      if (text === undefined) return repeats;
      // The rate limit lets few errors through in five seconds, so the oldest text is no longer needed.
      byText.delete(text);
      byText.set(text, recent);
      if (byText.size > maxTexts) byText.delete(byText.keys().next().value);
      return repeats;
    },
  };
}

function isObject(value: unknown): value is object {
  return Object(value) === value;
}
