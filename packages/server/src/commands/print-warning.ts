/** Prints a warning of the store. `error` is null if the message says everything. */
export function printWarning(error: unknown, message: string): void {
  console.error(`service-server: ${message}${error instanceof Error ? `: ${error.message}` : ''}`);
}
