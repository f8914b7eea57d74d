import type { Note } from '../client.ts';
import type { Page } from '../page.ts';
import type { Undo } from '../undo.ts';
import { wrap } from '../wrap.ts';

interface Fetching {
  fetch: (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>;
}

/** Notes each request by `fetch` when it is answered or fails; `status` is 0 if it fails. */
export function captureFetch(window: Page, note: Note): Undo {
  return wrap(window as Fetching, 'fetch', ([input, init]) => {
    // A text and a URL have neither.
    const { url = String(input), method = 'GET' } = input as Partial<Request>;
    const data = { method: init?.method ?? method, url, status: 0, duration: Date.now() };

    // The page gets this promise and no other: a second one would be one more unhandled rejection.
    return async (response) => {
      try {
        data.status = (await response).status;
        return response;
      } finally {
        data.duration = Date.now() - data.duration;
        note('http', 'fetch', data);
      }
    };
  });
}
