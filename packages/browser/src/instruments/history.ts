import { recordBreadcrumb } from '../breadcrumbs.ts';
import type { Client } from '../client.ts';
import { listen } from '../listen.ts';
import type { BrowserGlobal } from '../page-state.ts';
import { patchMethod, type Teardown } from '../patch-method.ts';

/** Records navigation that does not reload the page. A worker never navigates. */
export function instrumentHistory(client: Client, window: BrowserGlobal): Teardown[] {
  let from = location.href;
  function check<Result>(result: Result): Result {
    const to = location.href;
    // A changed fragment fires both popstate and hashchange; it must be recorded once.
    if (from !== to) recordBreadcrumb(client, 'navigation', 'history', { from, to });
    from = to;
    return result;
  }
  return [
    patchMethod(window.history, 'pushState', () => check),
    patchMethod(window.history, 'replaceState', () => check),
    listen(window, 'popstate', check),
    listen(window, 'hashchange', check),
  ];
}
