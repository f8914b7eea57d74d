import { captureFrameworkError } from '../default-client.ts';

/**
 * Makes the fallback of a Solid boundary report the error before it is rendered:
 * `<ErrorBoundary fallback={reportingFallback((error, reset) => …)}>`. Also writes the error to the console, because
 * Solid does not.
 */
export function reportingFallback<Caught, Element>(
  fallback: (error: Caught, reset: () => void) => Element,
): (error: Caught, reset: () => void) => Element {
  return (error, reset) => {
    captureFrameworkError(error);
    console.error(error);
    return fallback(error, reset);
  };
}
