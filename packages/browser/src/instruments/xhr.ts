import type { Client } from '../client.ts';
import { patchMethod } from '../patch-method.ts';
import { recordRequest } from './record-request.ts';

interface OpenOwner {
  open: (method: string, url: string | URL) => void;
}

/** Records each XMLHttpRequest. Does nothing in a service worker, which has no XMLHttpRequest. */
export function instrumentXhr(client: Client): void {
  const owner: OpenOwner | undefined = client.window.XMLHttpRequest?.prototype;
  const ends = new WeakMap<object, ReturnType<typeof recordRequest>>();
  patchMethod(client, owner, 'open', ([method, url], self) => {
    const request = self as XMLHttpRequest;
    // A `load` handler may have opened the next request. Then the state is 1, and this event is not its end.
    const end = (): unknown => request.readyState === 1 || ends.get(request)?.(request);
    // Throws for an object of another class, of which nothing is recorded.
    request.addEventListener('loadend', end);
    // msw mocks responses without events of the browser: it only calls these handlers. The page may set one of them,
    // but a mocked network error has no `load`: if the page sets `onloadend`, its request is recorded without a status.
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- msw calls no listener that is added here
    request.onload ??= end;
    request.onloadend ??= end;
    // A second `open` ends the request before it.
    ends.get(request)?.(request);
    ends.set(request, recordRequest(client, 'xhr', method, url));
  });
}
