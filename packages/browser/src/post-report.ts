import type { Report } from './report.ts';
import type { Answer } from './transport.ts';

let bytesInFlight = 0;

/** Posts a report as JSON by `fetch`, which is the page's own from before it was wrapped. */
export async function postReport(report: Report, endpoint: string, fetch: typeof globalThis.fetch): Promise<Answer> {
  const body = JSON.stringify(report);
  // Of those that may outlive the page, browsers take 64 KiB at once, and not too many: each counts 4,000 bytes more.
  const bytes = new Blob([body]).size + 4_000;
  bytesInFlight += bytes;
  try {
    const answer = await fetch(`${endpoint.replace(/\/$/, '')}/api/v1/errors`, {
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
    });
    // Until its body is read, browsers keep a request open.
    await answer.text();
    return answer;
  } finally {
    bytesInFlight -= bytes;
  }
}
