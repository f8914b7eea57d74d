/** Removes hooks: nothing, a function, or a nested list of these. */
export type Teardown = (() => void) | undefined | Teardown[];

export function runTeardown(teardown: Teardown): void {
  if (Array.isArray(teardown)) teardown.forEach(runTeardown);
  else teardown?.();
}
