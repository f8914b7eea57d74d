import { useEffect } from 'react';
import { captureFrameworkError } from '../default-client.ts';

/**
 * Reports the error that a router hands to an error page: `error.tsx` of Next.js, `useRouteError()` of React Router,
 * the `errorComponent` of TanStack Router. Reports nothing for `undefined`, and no error twice.
 */
export function useErrorReport(error: unknown): void {
  useEffect(() => {
    if (error !== undefined) captureFrameworkError(error);
  }, [error]);
}
