import type { Note } from '../client.ts';
import { listen } from '../listen.ts';
import { wrap } from '../wrap.ts';

/** Notes where the page goes without being loaded again. */
export function captureHistory(note: Note): void {
  // A worker has none.
  if (!self.history) return;
  let from = location.href;
  function check(): void {
    const to = location.href;
    // A fragment that changes fires popstate and hashchange.
    if (to !== from) note('navigation', 'history', { from, to });
    from = to;
  }
  wrap(self.history, 'pushState', () => check);
  wrap(self.history, 'replaceState', () => check);
  listen('popstate', check);
  listen('hashchange', check);
}
