import { captureFrameworkError } from '../default-client.ts';

/**
 * Reports the errors of a Svelte 5 boundary: `<svelte:boundary onerror={captureBoundaryError}>`. Also writes them to
 * the console, because Svelte does not log the errors of a boundary that has a handler.
 */
export function captureBoundaryError(error: unknown): void {
  captureFrameworkError(error);
  console.error(error);
}
