import type { Note } from '../client.ts';
import { listen } from '../listen.ts';
import type { Page } from '../page.ts';
import { undoAll, type Undo } from '../undo.ts';
import { wrap } from '../wrap.ts';

/** Notes where the page goes without being loaded again. */
export function captureHistory(window: Page, note: Note): Undo | undefined {
  const { history, location } = window;
  // A worker has none.
  if (!history) return;
  let from = location.href;
  function check<Result>(result: Result): Result {
    const to = location.href;
    // A fragment that changes fires popstate and hashchange.
    if (to !== from) note('navigation', 'history', { from, to });
    from = to;
    return result;
  }
  return undoAll([
    wrap(history, 'pushState', () => check),
    wrap(history, 'replaceState', () => check),
    listen(window, 'popstate', check),
    listen(window, 'hashchange', check),
  ]);
}
