import type { RecordBreadcrumb } from '../breadcrumbs.ts';
import type { GlobalWindow } from '../global-state.ts';
import { listen } from '../listen.ts';
import { patchMethod } from '../patch-method.ts';
import type { Teardown } from '../teardown.ts';

/** Records navigation that does not reload the page. A worker never navigates. */
export function instrumentHistory(window: GlobalWindow, record: RecordBreadcrumb): Teardown {
  let from = location.href;
  function check<Result>(result: Result): Result {
    // A changed fragment fires both popstate and hashchange; it must be recorded once.
    if (from !== location.href) record('navigation', 'history', { from, to: (from = location.href) });
    return result;
  }
  return [
    patchMethod(window.history, 'pushState', () => check),
    patchMethod(window.history, 'replaceState', () => check),
    listen(window, 'popstate', check),
    listen(window, 'hashchange', check),
  ];
}
