import type { Page } from '../page.ts';
import type { Note } from '../trail.ts';
import type { Undo } from '../undo.ts';
import { wrap } from '../wrap.ts';
import { noteRequest } from './request.ts';

interface Fetching {
  fetch: (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>;
}

/** Notes each request by `fetch` when it is answered or fails. */
export function captureFetch(window: Page, note: Note): Undo {
  return wrap(window as Fetching, 'fetch', ([input, init]) => {
    // A text and a URL have neither.
    const end = noteRequest(
      note,
      'fetch',
      init?.method ?? (input as Request).method ?? 'GET',
      (input as Request).url ?? input,
    );

    // The page gets this promise and no other: a second one would be one more unhandled rejection.
    return async (promise) => {
      let response: Response | undefined;
      try {
        return (response = await promise);
      } finally {
        end(response);
      }
    };
  });
}
