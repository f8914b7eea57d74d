import type { Note } from '../client.ts';
import { listen } from '../listen.ts';
import { wrap, type Undo } from '../wrap.ts';

/** Notes where the page goes without being loaded again. */
export function captureHistory(window: Window, note: Note): Undo[] {
  // A worker has none.
  if (!window.history) return [];
  let from = window.location.href;
  function check(): void {
    const to = window.location.href;
    // A fragment that changes fires popstate and hashchange.
    if (to !== from) note('navigation', 'history', { from, to });
    from = to;
  }
  return [
    wrap(window.history, 'pushState', () => check),
    wrap(window.history, 'replaceState', () => check),
    listen(window, 'popstate', check),
    listen(window, 'hashchange', check),
  ];
}
