/** Begins every line that the SDK writes to the console. Console breadcrumbs leave such lines out. */
export const tag = '[ServiceSDK]';

const said = new Set<string>();

/** Tells the developer what is wrong and what to do: each thing once until the page is reloaded. */
export function warn(advice: string, ...details: unknown[]): void {
  if (said.has(advice)) return;
  said.add(advice);
  try {
    console.warn(`${tag} ${advice}`, ...details);
  } catch {
    // The page's own console.warn threw. There is no one left to tell.
  }
}
