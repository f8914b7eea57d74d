/** The beginning of every line that the SDK writes to the console. The number of the line follows. */
export const tag = '[ServiceSDK] W';

const warned: Record<string, boolean> = {};

/**
 * Writes a warning for the developer, once until the page is reloaded. `advice` begins with the number of the warning.
 * docs/sdk/troubleshooting.md explains each number.
 */
export function warn(advice: string, ...details: unknown[]): void {
  if (warned[advice]) return;
  try {
    warned[advice] = true;
    console.warn(tag + advice, ...details);
  } catch {
    // The page's own console.warn threw, so there is no place left for the warning.
  }
}
