import type { RecordBreadcrumb } from '../breadcrumbs.ts';
import type { GlobalWindow } from '../global-state.ts';
import { patchMethod } from '../patch-method.ts';
import type { Teardown } from '../teardown.ts';
import { startRequest } from './start-request.ts';

interface OpenOwner {
  open: (method: string, url: string | URL) => void;
}

/** Records each XMLHttpRequest when it ends. Does nothing in a service worker, which has no XMLHttpRequest. */
export function instrumentXhr({ XMLHttpRequest }: GlobalWindow, record: RecordBreadcrumb): Teardown {
  return patchMethod(XMLHttpRequest?.prototype as OpenOwner | undefined, 'open', ([method, url], request) => {
    const endRequest = startRequest(record, 'xhr', method, url);
    (request as XMLHttpRequest).addEventListener('loadend', () => endRequest(request as XMLHttpRequest), {
      once: true,
    });
  });
}
