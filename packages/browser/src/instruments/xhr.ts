import type { Client } from '../client.ts';
import { patchMethod } from '../patch-method.ts';
import { startRequest } from './request-breadcrumb.ts';

type RequestMethods = Record<'open' | 'send', (...args: [method: string, url: string | URL]) => void>;

/** Records each XMLHttpRequest that is sent. Does nothing in a service worker, which has no XMLHttpRequest. */
export function instrumentXhr(client: Client): void {
  const { prototype }: { prototype?: RequestMethods } = client.window.XMLHttpRequest ?? {};
  const starts = new WeakMap<XMLHttpRequest, () => void>();
  patchMethod(client, prototype, 'open', ([method, url], request: XMLHttpRequest) => {
    let endRequest: ReturnType<typeof startRequest> | undefined;
    starts.set(request, () => {
      endRequest = startRequest(client, 'xhr', method, url);
    });
    // Added before the listeners of the page, which may open the request again.
    request.addEventListener('loadend', () => endRequest?.(request), { once: true });
  });
  patchMethod(client, prototype, 'send', (_, request: XMLHttpRequest) => starts.get(request)?.());
}
