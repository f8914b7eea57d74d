import { recordBreadcrumb } from '../breadcrumbs.ts';
import type { Client } from '../client.ts';
import { listen } from '../listen.ts';
import { patchMethod } from '../patch-method.ts';

/** Records navigation that does not reload the page. A worker never navigates. */
export function instrumentHistory(client: Client): void {
  let from = location.href;
  function check<Result>(result: Result): Result {
    const to = location.href;
    // A changed fragment fires both popstate and hashchange; it must be recorded once.
    if (from !== to) recordBreadcrumb(client, 'navigation', 'history', { from, to });
    from = to;
    return result;
  }
  const { history } = client.window;
  patchMethod(client, history, 'pushState', () => check);
  patchMethod(client, history, 'replaceState', () => check);
  listen(client, 'popstate', check);
  listen(client, 'hashchange', check);
}
