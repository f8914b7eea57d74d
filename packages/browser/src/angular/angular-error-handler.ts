import { captureWithMetadata } from '../default-client.ts';

/**
 * The error handler of an Angular app: `{ provide: ErrorHandler, useValue: angularErrorHandler }`. Reports what Angular
 * has caught, in components, listeners and lifecycle hooks, with and without zone.js, and writes it to the console, as
 * Angular's own handler does.
 */
export const angularErrorHandler = {
  handleError(error: unknown): void {
    captureWithMetadata(withoutWrapper(error));
    console.error(error);
  },
};

/** zone.js wraps the reason of an unhandled rejection into another error, which says where it was not handled. */
function withoutWrapper(error: unknown): unknown {
  return error instanceof Error && 'rejection' in error ? error.rejection : error;
}
