import { captureFrameworkError } from '../default-client.ts';

/**
 * The error handler of an Angular app: `{ provide: ErrorHandler, useValue: angularErrorHandler }`. Reports the errors
 * that Angular catches in components, listeners and lifecycle hooks, with and without zone.js. Writes them to the
 * console, as Angular's own handler does.
 */
export const angularErrorHandler = {
  handleError(error: unknown): void {
    captureFrameworkError(withoutWrapper(error));
    console.error(error);
  },
};

/** Returns the reason of an unhandled rejection, which zone.js wraps in an error. Returns other values unchanged. */
function withoutWrapper(error: unknown): unknown {
  return error instanceof Error && 'rejection' in error ? error.rejection : error;
}
