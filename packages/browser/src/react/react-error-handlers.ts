import { captureFrameworkError } from '../default-client.ts';

/** An error handler of React's root: receives the thrown value and the component stack. */
export type ReactErrorHandler = (error: unknown, info: { componentStack?: string | undefined }) => void;

export interface ReactErrorHandlers {
  onUncaughtError: ReactErrorHandler;
  onCaughtError: ReactErrorHandler;
  onRecoverableError: ReactErrorHandler;
}

/**
 * Returns the error handlers of a React 19 root: `createRoot(element, reactErrorHandlers())`. They report every error
 * below the root, with the component stack. They replace React's own handlers and keep their effects: an uncaught error
 * is passed on to the page's `error` listeners, and an error that a boundary caught is written to the console.
 */
export function reactErrorHandlers(): ReactErrorHandlers {
  // Our own listener drops the error as a repeat. Browsers older than 2022 have no reportError.
  const rethrow = captureThen(globalThis.reportError ?? console.error);
  return { onUncaughtError: rethrow, onCaughtError: captureThen(console.error), onRecoverableError: rethrow };
}

function captureThen(passOn: (error: unknown) => void): ReactErrorHandler {
  return (error, { componentStack }) => {
    captureFrameworkError(error, { componentStack });
    passOn(error);
  };
}
