import { recordBreadcrumb } from '../breadcrumbs.ts';
import type { Client } from '../client.ts';
import { guard } from '../guard.ts';
import { truncate } from '../normalize.ts';

/**
 * Records a breadcrumb when a request starts. Returns a function that replaces the breadcrumb when the request ends. It
 * takes the response, or nothing if the request failed; later calls have no effect.
 */
export function recordRequest(
  client: Client,
  category: 'fetch' | 'xhr',
  givenMethod: string,
  givenUrl: unknown,
): (response?: { status: number }) => void {
  const startedAt = Date.now();
  const method = String(givenMethod).toUpperCase();
  const url = truncate(String(givenUrl), 2_000);
  const pending = recordBreadcrumb(client, 'http', category, { method, url, pending: true });
  let hasEnded = false;
  return (response) =>
    guard(client, () => {
      if (hasEnded) return;
      hasEnded = true;
      // The status is 0 without a response.
      const status = response?.status ?? 0;
      if (pending) client.breadcrumbs.delete(pending);
      recordBreadcrumb(client, 'http', category, { method, url, status, duration: Date.now() - startedAt });
      client.onRequestEnd?.({ method, url, status });
    });
}
