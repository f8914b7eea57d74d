import type { Client } from '../client.ts';
import type { BrowserGlobal } from '../page-state.ts';
import { patchMethod, type Teardown } from '../patch-method.ts';
import { startRequest } from './request-breadcrumb.ts';

interface OpenOwner {
  open: (method: string, url: string | URL) => void;
}

/** Records each XMLHttpRequest when it ends. Does nothing in a service worker, which has no XMLHttpRequest. */
export function instrumentXhr(client: Client, { XMLHttpRequest }: BrowserGlobal): Teardown {
  if (client.settings.breadcrumbs?.xhr === false) return;
  const owner: OpenOwner | undefined = XMLHttpRequest?.prototype;
  return patchMethod(owner, 'open', ([method, url], request) => {
    if (!(request instanceof XMLHttpRequest)) return;
    let endRequest: ReturnType<typeof startRequest> | undefined;
    const start = (): void => void (endRequest ??= startRequest(client, 'xhr', method, url));
    request.addEventListener('loadstart', start, { once: true });
    const end = (): void => {
      // A synchronous request has no `loadstart`.
      start();
      endRequest?.(request);
    };
    request.addEventListener('loadend', end, { once: true });
  });
}
