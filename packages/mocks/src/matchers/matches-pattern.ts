/** What a test expects of a value: see `matchesPattern()`. */
export type Pattern = unknown;

interface AsymmetricMatcher {
  asymmetricMatch(value: unknown): boolean;
}

/**
 * Returns whether a value is as expected: a regular expression matches a text, an object needs its own fields only, a
 * list has to have as many items, and `expect.any()` and the like apply. Everything else has to be the same.
 */
export function matchesPattern(value: unknown, pattern: Pattern): boolean {
  if (isAsymmetric(pattern)) return pattern.asymmetricMatch(value);
  if (isRegExp(pattern)) return typeof value === 'string' && value.search(pattern) >= 0;
  if (Array.isArray(pattern)) {
    return (
      Array.isArray(value) &&
      value.length === pattern.length &&
      pattern.every((item, at) => matchesPattern(value[at], item))
    );
  }
  if (typeof pattern !== 'object' || pattern === null) return Object.is(value, pattern);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(pattern).every(([key, item]) => matchesPattern((value as Record<string, unknown>)[key], item));
}

/** Also of another realm: Jest runs tests in a separate one. */
function isRegExp(value: unknown): value is RegExp {
  return Object.prototype.toString.call(value) === '[object RegExp]';
}

function isAsymmetric(value: unknown): value is AsymmetricMatcher {
  return typeof (value as Partial<AsymmetricMatcher> | null)?.asymmetricMatch === 'function';
}
