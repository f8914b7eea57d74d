const maxTexts = 50;

/** What is remembered of an error. */
export interface RecentError {
  /** Until then, the error is a repeat. In milliseconds since 1970. */
  until: number;
  /** The number of repeats that were dropped. */
  repeats: number;
}

/**
 * Returns a function that finds what is remembered of an error, by its identity: a text, or the thrown object itself,
 * which is held weakly.
 */
export function createDedupe(): (identity: unknown) => RecentError {
  const byObject = new WeakMap<object, RecentError>();
  const byText = new Map<unknown, RecentError>();

  return (identity) => {
    const known = isObject(identity) ? byObject.get(identity) : byText.get(identity);
    if (known) return known;
    const added = { until: 0, repeats: 0 };
    if (isObject(identity)) byObject.set(identity, added);
    else byText.set(identity, added);
    if (byText.size > maxTexts) byText.delete(byText.keys().next().value);
    return added;
  };
}

function isObject(value: unknown): value is object {
  return Object(value) === value;
}
