/** The pattern that a test expects a value to match: see `matchesPattern()`. */
export type Pattern = unknown;

interface AsymmetricMatcher {
  asymmetricMatch(value: unknown): boolean;
}

/**
 * Returns whether a value matches a pattern. A regular expression matches a text. An object matches if all fields of
 * the pattern match; other fields are ignored. A list must have the same number of items. `expect.any()` and other
 * matchers of the test runner apply. Any other value must be the same.
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

/** Returns true also for a regular expression of another realm: Jest runs tests in a separate one. */
function isRegExp(value: unknown): value is RegExp {
  return Object.prototype.toString.call(value) === '[object RegExp]';
}

function isAsymmetric(value: unknown): value is AsymmetricMatcher {
  return typeof (value as Partial<AsymmetricMatcher> | null)?.asymmetricMatch === 'function';
}
