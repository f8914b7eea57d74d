import { byteLength } from './byte-length.ts';
import { options } from './client.ts';
import type { Answer } from './options.ts';
import type { Report } from './report.ts';

let bytesInFlight = 0;

/** Posts a report to the server as JSON. The default `transport`. */
export function fetchTransport(report: Report): Promise<Answer> {
  const body = JSON.stringify(report);
  // Browsers limit the keepalive requests in flight to 64 KiB and to a small number. The extra 4,000 bytes limit the
  // number.
  const bytes = byteLength(body) + 4_000;
  bytesInFlight += bytes;
  // Not called as a method of `options`: browsers check `this` of fetch.
  return (0, options!.fetch)(options!.endpoint.replace(/\/$/, '') + '/api/v1/errors', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
    keepalive: bytesInFlight < 60_000,
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    // A redirect would send the report to another server.
    redirect: 'error',
    // Browsers older than 2022 have no AbortSignal.timeout; there the request has no time limit.
    signal: AbortSignal.timeout?.(10_000),
  }).finally(() => (bytesInFlight -= bytes));
}
