import { listen } from '../listen.ts';
import type { Page } from '../page.ts';
import type { Note } from '../trail.ts';
import type { Undo } from '../undo.ts';
import { wrap } from '../wrap.ts';

/** Notes where the page goes without being loaded again. A worker goes nowhere. */
export function captureHistory(window: Page, note: Note): Undo {
  let from = location.href;
  function check<Result>(result: Result): Result {
    // A fragment that changes fires popstate and hashchange.
    if (from !== location.href) note('navigation', 'history', { from, to: (from = location.href) });
    return result;
  }
  return [
    wrap(window.history, 'pushState', () => check),
    wrap(window.history, 'replaceState', () => check),
    listen(window, 'popstate', check),
    listen(window, 'hashchange', check),
  ];
}
