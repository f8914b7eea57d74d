import { recordBreadcrumb, type BufferedBreadcrumb } from '../breadcrumbs.ts';
import type { Client } from '../client.ts';
import { truncate } from '../normalize.ts';

/**
 * Starts the breadcrumb of a request. Returns a function that records it; it must be called once, with the response or
 * with nothing on failure. Until then, reports list the request as pending.
 */
export function startRequest(
  client: Client,
  category: 'fetch' | 'xhr',
  givenMethod: string,
  givenUrl: unknown,
): (response?: { status: number }) => void {
  const timestamp = Date.now();
  const method = String(givenMethod).toUpperCase();
  const url = truncate(String(givenUrl), 2_000);
  const breadcrumb: BufferedBreadcrumb = { timestamp, type: 'http', category, data: { method, url, pending: true } };
  client.requestsInFlight.add(breadcrumb);
  return (response) => {
    client.requestsInFlight.delete(breadcrumb);
    // The status is 0 without a response.
    const status = response?.status ?? 0;
    recordBreadcrumb(client, 'http', category, { method, url, status, duration: Date.now() - timestamp });
    client.onRequestEnd?.({ method, url, status });
  };
}
