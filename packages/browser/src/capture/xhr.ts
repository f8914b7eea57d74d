import type { Page } from '../page.ts';
import type { Note } from '../trail.ts';
import type { Undo } from '../undo.ts';
import { wrap } from '../wrap.ts';
import { noteRequest } from './request.ts';

interface Opening {
  open: (method: string, url: string | URL) => void;
}

/** Notes each request by XMLHttpRequest when it is over. A service worker has none. */
export function captureXhr({ XMLHttpRequest }: Page, note: Note): Undo {
  return wrap(XMLHttpRequest?.prototype as Opening | undefined, 'open', ([method, url], request) => {
    const end = noteRequest(note, 'xhr', method, url);
    (request as XMLHttpRequest).addEventListener('loadend', () => end(request as XMLHttpRequest), { once: true });
  });
}
