import type { Client } from './client.ts';
import { byteLength } from './normalize.ts';
import type { ReportResponse } from './options.ts';
import type { ErrorReport } from './report.ts';
import { warn } from './warn.ts';

/**
 * Browsers limit the keepalive requests in flight to 64 KiB, including those of the previous page. So a page uses half.
 */
const maxKeepaliveBytes = 30_000;
/** Browsers also limit the number of these requests, so each counts as this many bytes at least. */
const minRequestBytes = 4_000;

/** Posts a report to the server as JSON. Rejects if there is no response. */
async function post({ settings, page, fetch, isLeaving }: Client, report: ErrorReport): Promise<ReportResponse> {
  const body = JSON.stringify(report);
  const bytes = Math.max(byteLength(body), minRequestBytes);
  page.bytesInFlight += bytes;
  try {
    // Not called as a method: browsers check `this` of fetch.
    return await fetch!(settings.endpoint.replace(/\/?$/, '/api/v1/errors'), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
      // Without `keepalive`, the browser cancels a request of a page that is left.
      keepalive: isLeaving || page.bytesInFlight <= maxKeepaliveBytes,
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      // A redirect would send the report to another server.
      redirect: 'error',
      // Browsers older than 2022 have no AbortSignal.timeout; there the request has no time limit.
      signal: globalThis.AbortSignal?.timeout?.(10_000),
    });
  } finally {
    page.bytesInFlight -= bytes;
  }
}

/** The response to a report. The status is 0 without one: a CORS error and an unreachable server look the same. */
export type SendResult = Pick<ReportResponse, 'status' | 'headers'>;

/** Sends a report once, by the transport of the page or by fetch. Never rejects. */
export async function sendOnce(client: Client, report: ErrorReport): Promise<SendResult> {
  const { transport } = client.settings;
  try {
    const { status = 200, headers } = await (transport ? transport(report) : post(client, report));
    return { status, headers };
  } catch {
    return { status: 0 };
  }
}

/**
 * Warns about a rejection, and about a missing response while the browser is online. After a 401 or a 429, stops all
 * clients of the page with this API key.
 */
export function handleStatus(client: Client, status: number): void {
  if (status === 401 || status === 429) client.page.stopped.add(client.settings.apiKey);
  if (status === 401) warn(8, 'Unknown apiKey (401), nothing more is sent', client);
  else if (status === 429) warn(9, 'Error quota used up (429), nothing more is sent', client);
  else if (status === 403 || (!status && navigator.onLine)) {
    warn(10, 'Unreachable, or origin not on allow-list', client);
  } else if (status >= 400) warn(status < 500 ? 13 : 14, `Report rejected (${status})`, client);
}
