import type { Client } from '../client.ts';
import { patchMethod } from '../patch-method.ts';
import { recordRequest } from './record-request.ts';

interface FetchOwner {
  fetch: (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>;
}

/** Records each `fetch` request when its response arrives or it fails. */
export function instrumentFetch(client: Client): void {
  patchMethod(client, client.window as FetchOwner, 'fetch', ([input, init]) => {
    // A text or a URL has no method and no `url`.
    const { method = 'GET', url = input }: Partial<{ method: string; url: unknown }> = Object(input);
    const endRequest = recordRequest(client, 'fetch', init?.method ?? method, url);

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
