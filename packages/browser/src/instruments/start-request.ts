import type { RecordBreadcrumb } from '../breadcrumbs.ts';
import { guard } from '../guard.ts';
import { truncate } from '../normalize.ts';

/** Starts a request. Returns a function that records its breadcrumb; pass it the response, or nothing on failure. */
export function startRequest(
  record: RecordBreadcrumb,
  category: string,
  method: string,
  url: unknown,
): (response?: { status: number }) => void {
  const start = Date.now();
  url = truncate(url + '', 2_000);
  return guard((response) =>
    // The status is 0 without a response.
    record('http', category, {
      method: method.toUpperCase(),
      url,
      status: response?.status ?? 0,
      duration: Date.now() - start,
    }),
  );
}
