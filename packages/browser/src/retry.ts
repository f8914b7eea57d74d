import { globalState, options, pending } from './client.ts';
import type { Answer } from './options.ts';
import type { Report } from './report.ts';
import { warn } from './warn.ts';

let failures = 0;

/** Sends a report. Retries twice if the server does not respond or fails (5xx). Never rejects. */
export async function sendWithRetry(report: Report): Promise<void> {
  pending[0]++;
  for (const seconds of failures > 2 ? [] : [1, 2, 0]) {
    // The page may have closed the client, and started another one.
    if (report.project_api_key !== options?.apiKey || globalState.disabled) break;
    let status: number | undefined;
    let retryAfter: unknown;
    try {
      const answer = (await options!.transport(report)) as Answer;
      status = answer.status;
      retryAfter = answer.headers?.get('Retry-After');
    } catch {
      // A CORS refusal and an unreachable server look the same: the status stays undefined.
    }
    if (status! < 400) failures = 0;
    // Being offline does not count as a failure.
    else if (status! < 500 || (!status && navigator.onLine)) {
      const fatal = { 401: '8: Check apiKey', 429: '9: No quota' }[status!];
      if (fatal) globalState.disabled = true;
      else if (++failures > 2) setTimeout(() => (failures = 0), 60_000);
      warn(fatal ?? '10: Check allow-list', status);
    }
    // At most 20 reports wait in memory.
    if (status! < 500 || pending[0] > 20) break;
    await new Promise((resolve) => {
      const wait = () => setTimeout(resolve, 1_000 * (+(retryAfter as string) || seconds));
      // Browsers fire `online` a little before the network works, so the delay starts then.
      if (navigator.onLine) wait();
      else addEventListener('online', wait, { once: true });
    });
  }
  pending[0]--;
}
