import { capture } from '../client.ts';

/**
 * For Svelte 5: `<svelte:boundary onerror={captureBoundaryError}>` reports what is thrown inside. The error is also
 * written to the console, for a boundary that has a handler keeps it to itself.
 */
export function captureBoundaryError(error: unknown): void {
  capture(error);
  console.error(error);
}
