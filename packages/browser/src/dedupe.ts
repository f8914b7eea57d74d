// The rate limit accepts 15 errors in five seconds, so an older text is no longer needed.
const maxTexts = 20;

/** What is remembered of an error that was reported. */
interface RecentError {
  /** Until then, the error is a repeat. In milliseconds since 1970. */
  until: number;
  /** The number of repeats that were dropped. */
  repeats: number;
}

interface RecentErrors {
  get(identity: unknown): RecentError | undefined;
  set(identity: unknown, recent: RecentError): unknown;
}

/** Remembers errors by their identity: a text, or the thrown object itself, which is held weakly. */
export function createDedupe(): RecentErrors {
  const byObject: RecentErrors = new WeakMap();
  const byText = new Map<unknown, RecentError>();
  const storeOf = (identity: unknown): RecentErrors => (Object(identity) === identity ? byObject : byText);

  return {
    get: (identity) => storeOf(identity).get(identity),

    set(identity, recent) {
      storeOf(identity).set(identity, recent);
      if (byText.size > maxTexts) byText.delete(byText.keys().next().value);
    },
  };
}
