import type { Report } from './report.ts';
import type { Answer } from './transport.ts';

let requests = 0;
let bytes = 0;

/** Posts a report as JSON by `fetch`, which is the page's own from before it was wrapped. */
export async function postReport(report: Report, endpoint: string, fetch: typeof globalThis.fetch): Promise<Answer> {
  let body;
  let size;
  // At most 64 KiB: the oldest breadcrumbs give way, the rest is short enough.
  do {
    body = JSON.stringify(report);
    size = new Blob([body]).size;
  } while (size > 65_536 && report.breadcrumbs?.splice(0, 8).length);
  bytes += size;
  requests++;
  try {
    const answer = await fetch(`${endpoint.replace(/\/$/, '')}/api/v1/errors`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
      // Browsers refuse more than 64 KiB of requests that may outlive the page; what is over it goes without.
      keepalive: bytes < 60_000 && requests < 15,
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      // A redirect would hand the report to someone else.
      redirect: 'error',
      signal: AbortSignal.timeout(10_000),
    });
    // Until its body is read, browsers keep a request open.
    await answer.text();
    return answer;
  } finally {
    bytes -= size;
    requests--;
  }
}
