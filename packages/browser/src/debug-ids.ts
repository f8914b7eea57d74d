import { fileOf } from './file-of.ts';

/** The debug ids that bundles have registered for the scripts of a stack, by script: `{ [stack of the script]: id }`. */
export function debugIdsOf(stack: string): Record<string, string> | undefined {
  const { __serviceDebugIds: registered } = globalThis as { __serviceDebugIds?: Record<string, string> };
  let found: Record<string, string> | undefined;
  for (const made in registered) {
    const file = fileOf(made);
    if (file && stack.includes(`${file}:`)) (found ??= {})[file] = registered[made]!;
  }
  return found;
}
