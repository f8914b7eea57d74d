import { advice } from './advice.ts';
import { attempt } from './guard.ts';
import { browserGlobal } from './page-state.ts';

/** The beginning of every line that the SDK writes to the console. */
export const consolePrefix = '[ServiceSDK]';

/** The lines that were written while no client is started. */
const writtenWithoutClient = new Set<string>();

/**
 * Writes a line for the developer, once for each client. docs/sdk/troubleshooting.md explains each number. Servers that
 * render pages stay silent, because nothing is reported there by design.
 */
export function warn(
  number: number,
  text: string,
  written: Set<string> = writtenWithoutClient,
  ...values: unknown[]
): void {
  const line = `${consolePrefix} ${text}. ${advice[number] ?? ''}[W${number}]`;
  if (written.has(line) || !browserGlobal()) return;
  written.add(line);
  // The page's own console.warn may throw. The line is then lost.
  attempt(() => console.warn(line, ...values));
}

/** Forgets which lines were written while no client was started. */
export function resetWarnings(): void {
  writtenWithoutClient.clear();
}
