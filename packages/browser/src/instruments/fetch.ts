import type { RecordBreadcrumb } from '../breadcrumbs.ts';
import type { GlobalWindow } from '../global-state.ts';
import { patchMethod } from '../patch-method.ts';
import type { Teardown } from '../teardown.ts';
import { startRequest } from './start-request.ts';

interface FetchOwner {
  fetch: (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>;
}

/** Records each `fetch` request when its response arrives or it fails. */
export function instrumentFetch(window: GlobalWindow, record: RecordBreadcrumb): Teardown {
  return patchMethod(window as FetchOwner, 'fetch', ([input, init]) => {
    // Strings and URL objects have neither `method` nor `url`.
    const endRequest = startRequest(
      record,
      'fetch',
      init?.method ?? (input as Request).method ?? 'GET',
      (input as Request).url ?? input,
    );

    // The page gets this derived promise only: a second promise would cause a second unhandled rejection.
    return async (promise) => {
      let response: Response | undefined;
      try {
        return (response = await promise);
      } finally {
        endRequest(response);
      }
    };
  });
}
