import { withAdvice } from './advice.ts';
import { attempt } from './attempt.ts';
import { browserGlobal } from './page-state.ts';

/** The beginning of every line that the SDK writes to the console. */
export const consolePrefix = '[ServiceSDK]';

/** Remembers which lines were written. A client is one. */
export interface WarningLog {
  readonly warned: Set<string>;
}

/** The lines that belong to no client. */
const noClient: WarningLog = { warned: new Set() };

/**
 * Writes a line for the developer, once for each client. docs/sdk/troubleshooting.md explains each number. Servers that
 * render pages stay silent, because nothing is reported there by design.
 */
export function warn(number: number, text: string, { warned } = noClient, ...values: unknown[]): undefined {
  const line = withAdvice(`${consolePrefix} ${text}. [W${number}]`);
  if (warned.has(line) || !browserGlobal()) return;
  warned.add(line);
  // The page's own console.warn may throw. The line is then lost.
  attempt(() => console.warn(line, ...values));
}

/** Forgets which lines were written while no client was started. */
export function resetWarnings(): void {
  noClient.warned.clear();
}
