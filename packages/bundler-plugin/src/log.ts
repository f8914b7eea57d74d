/** Prints a line that names the plugin. */
export function log(message: string): void {
  console.warn(`[service] ${message}`);
}
