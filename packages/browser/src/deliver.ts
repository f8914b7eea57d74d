import { flight, options, page } from './client.ts';
import type { Answer } from './options.ts';
import type { Report } from './report.ts';
import { warn } from './warn.ts';

let failures = 0;

/** Sends a report, up to three times if the server does not answer or fails. Never rejects. */
export async function deliver(report: Report): Promise<void> {
  flight[0]++;
  for (const seconds of failures > 2 ? [] : [1, 2, 0]) {
    // The page may have closed it, and started another.
    if (report.project_api_key !== options?.apiKey || page.stop) break;
    let status: number | undefined;
    let retryAfter: unknown;
    try {
      const answer = (await options!.transport(report)) as Answer;
      status = answer.status;
      retryAfter = answer.headers?.get('Retry-After');
    } catch {
      // A browser that refuses for CORS tells as much as a server that is down.
    }
    if (status! < 400) failures = 0;
    // To be offline is no failure.
    else if (status! < 500 || (!status && navigator.onLine)) {
      const problem = { 401: '8: Check apiKey', 429: '9: No quota' }[status!];
      if (problem) page.stop = true;
      else if (++failures > 2) setTimeout(() => (failures = 0), 60_000);
      warn(problem ?? '10: Check allow-list', status);
    }
    // Twenty are kept in memory.
    if (status! < 500 || flight[0] > 20) break;
    await new Promise((go) => {
      const soon = () => setTimeout(go, 1_000 * (+(retryAfter as string) || seconds));
      // Browsers tell it a little before their network is there.
      if (navigator.onLine) soon();
      else addEventListener('online', soon, { once: true });
    });
  }
  flight[0]--;
}
