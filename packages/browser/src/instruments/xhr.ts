import type { Client } from '../client.ts';
import type { BrowserGlobal } from '../page-state.ts';
import { patchMethod, type Teardown } from '../patch-method.ts';
import { startRequest } from './request-breadcrumb.ts';

interface OpenOwner {
  open: (method: string, url: string | URL) => void;
}

/** Records each XMLHttpRequest. Does nothing in a service worker, which has no XMLHttpRequest. */
export function instrumentXhr(client: Client, { XMLHttpRequest }: BrowserGlobal): Teardown {
  const owner: OpenOwner | undefined = XMLHttpRequest?.prototype;
  return patchMethod(owner, 'open', ([method, url], request) => {
    if (!(request instanceof XMLHttpRequest)) return;
    const endRequest = startRequest(client, 'xhr', method, url);
    request.addEventListener('loadend', () => endRequest(request), { once: true });
  });
}
