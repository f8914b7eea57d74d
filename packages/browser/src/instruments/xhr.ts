import type { Client } from '../client.ts';
import { patchMethod } from '../patch-method.ts';
import { startRequest } from './request-breadcrumb.ts';

interface OpenOwner {
  open: (method: string, url: string | URL) => void;
}

/** Records each XMLHttpRequest. Does nothing in a service worker, which has no XMLHttpRequest. */
export function instrumentXhr(client: Client): void {
  const { XMLHttpRequest } = client.window;
  const owner: OpenOwner | undefined = XMLHttpRequest?.prototype;
  patchMethod(client, owner, 'open', ([method, url], request) => {
    if (!(request instanceof XMLHttpRequest)) return;
    const endRequest = startRequest(client, 'xhr', method, url);
    const end = (): void => endRequest(request);
    request.addEventListener('loadend', end);
    // msw mocks responses without events of the browser. Then it only calls this handler.
    request.onloadend ??= end;
  });
}
