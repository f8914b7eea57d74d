import { bytesOf } from './bytes-of.ts';
import { options } from './client.ts';
import type { Answer } from './options.ts';
import type { Report } from './report.ts';

let bytesInFlight = 0;

/** Posts a report as JSON. */
export function post(report: Report): Promise<Answer> {
  const body = JSON.stringify(report);
  // Of those that may outlive the page, browsers take 64 KiB at once, and not too many: each counts 4,000 bytes more.
  const bytes = bytesOf(body) + 4_000;
  bytesInFlight += bytes;
  // Not called as a method of ours, for browsers ask whose it is.
  return (0, options!.fetch)(options!.endpoint.replace(/\/$/, '') + '/api/v1/errors', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
    keepalive: bytesInFlight < 60_000,
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    // A redirect would hand the report to someone else.
    redirect: 'error',
    // Browsers of before 2022 wait as long as they like.
    signal: AbortSignal.timeout?.(10_000),
  }).finally(() => (bytesInFlight -= bytes));
}
