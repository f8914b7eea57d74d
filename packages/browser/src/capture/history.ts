import type { Note } from '../client.ts';
import { listen } from '../listen.ts';
import { wrap } from '../wrap.ts';

/** Notes where the page goes without being loaded again. */
export function captureHistory(window: Window, note: Note): void {
  // A worker has none.
  if (!window.history) return;
  let from = window.location.href;
  function check(): void {
    const to = window.location.href;
    // A fragment that changes fires popstate and hashchange.
    if (to !== from) note('navigation', 'history', { from, to });
    from = to;
  }
    wrap(window.history, 'pushState', () => check);
    wrap(window.history, 'replaceState', () => check);
    listen(window, 'popstate', check);
    listen(window, 'hashchange', check);
}
