/** Errors that the app has caught itself are told to the page around it. */
export function reportCaught(error: unknown): void {
  (globalThis as unknown as { reportCaught(error: unknown): void }).reportCaught(error);
}
