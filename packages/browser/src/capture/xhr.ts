import type { Note } from '../client.ts';
import type { Page } from '../page.ts';
import type { Undo } from '../undo.ts';
import { wrap } from '../wrap.ts';
import { noteRequest } from './request.ts';

interface Opening {
  open: (method: string, url: string | URL) => void;
}

/** Notes each request by XMLHttpRequest when it is over. */
export function captureXhr({ XMLHttpRequest }: Page, note: Note): Undo | undefined {
  // A service worker has none.
  if (!XMLHttpRequest) return;
  return wrap(XMLHttpRequest.prototype as Opening, 'open', ([method, url], self) => {
    const request = self as XMLHttpRequest;
    const end = noteRequest(note, 'xhr', method, url);
    request.addEventListener('loadend', () => end(request), { once: true });
  });
}
