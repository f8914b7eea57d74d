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

/** Returns a function that returns the memory for an identity: texts are kept, thrown objects are held weakly. */
export function createDedupe(): (identity: unknown) => RecentErrors {
  const byObject: RecentErrors = new WeakMap();
  const byText = new Map<unknown, RecentError>();
  return (identity) => {
    if (byText.size > maxTexts) byText.delete(byText.keys().next().value);
    return Object(identity) === identity ? byObject : byText;
  };
}
