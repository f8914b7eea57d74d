/** Begins every line that the SDK writes to the console, before the number of what it says. */
export const tag = '[ServiceSDK] W';

const said: Record<string, boolean> = {};

/**
 * Tells the developer what is wrong and what to do: each thing once until the page is reloaded. `advice` begins with a
 * number, by which the documentation explains it.
 */
export function warn(advice: string, ...details: unknown[]): void {
  if (said[advice]) return;
  try {
    said[advice] = true;
    console.warn(tag + advice, ...details);
  } catch {
    // The page's own console.warn threw. There is no one left to tell.
  }
}
