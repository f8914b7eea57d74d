import { captureWith } from '../client.ts';

/** As React calls it: with what was thrown, and the components around it. */
export type ReactErrorHandler = (error: unknown, info: { componentStack?: string | undefined }) => void;

export interface ReactErrorHandlers {
  onUncaughtError: ReactErrorHandler;
  onCaughtError: ReactErrorHandler;
  onRecoverableError: ReactErrorHandler;
}

/**
 * For React 19: `createRoot(element, reactErrorHandlers())`. Whatever goes wrong below the root is reported, with the
 * components around it. They take the place of React's own handlers, and do what those did too: what no boundary
 * caught goes on to the page's `error` listeners, what one caught is written to the console.
 */
export function reactErrorHandlers(): ReactErrorHandlers {
  // What then comes to our own listener is known to have been reported. Browsers of before 2022 have no reportError.
  const toThePage = reportThen(globalThis.reportError ?? console.error);
  return { onUncaughtError: toThePage, onCaughtError: reportThen(console.error), onRecoverableError: toThePage };
}

function reportThen(passOn: (error: unknown) => void): ReactErrorHandler {
  return (error, { componentStack }) => {
    captureWith(error, { componentStack });
    passOn(error);
  };
}
