import { byteLength } from './byte-length.ts';
import { globalState, options } from './client.ts';
import { passesFilters } from './filters.ts';
import { guard } from './guard.ts';
import { normalize } from './normalize.ts';
import { isRateLimited, takeToken } from './rate-limit.ts';
import type { Breadcrumb, Report } from './report.ts';
import { sendWithRetry } from './retry.ts';
import { scriptUrl } from './script-url.ts';
import { tag, warn } from './warn.ts';

declare global {
  var __serviceDebugIds: Record<string, string> | undefined;
}

/** A report before it is scrubbed and converted to JSON values. */
export type PendingReport = Omit<Report, 'project_api_key' | 'timestamp' | 'breadcrumbs'> & {
  timestamp: Date;
  breadcrumbs: (Omit<Breadcrumb, 'timestamp'> & { timestamp: Date })[] | undefined;
};

/** Filters a report, applies the rate limit, passes it to `beforeSend` and sends it. */
export const processReport = guard((pendingReport: PendingReport): void => {
  if (!options || globalState.disabled || !passesFilters(pendingReport)) return;
  // Early errors arrive all at once, so they are exempt from the limit.
  if (!globalState.early && isRateLimited()) return warn('6: Too many errors');
  takeToken();
  // The oldest breadcrumbs are dropped first.
  while (byteLength(JSON.stringify(pendingReport.breadcrumbs)) > 30_000) pendingReport.breadcrumbs!.shift();

  // An error that beforeSend captures itself would cause an endless loop.
  globalState.disabled = true;
  const changed = normalize(guard(options.beforeSend)(normalize(pendingReport) as Report)) as Report | null | undefined;
  globalState.disabled = false;
  if (changed === null) return;
  const report = changed?.message ? changed : (normalize(pendingReport) as Report);
  report.project_api_key = options.apiKey;
  // Bundles register their debug ids: `{ [stack inside the script]: id }`.
  for (const stack in self.__serviceDebugIds) {
    const url = scriptUrl(stack);
    if (url && (report.stacktrace + '').includes(url + ':'))
      (report.debug_ids ??= {})[url] = self.__serviceDebugIds[stack]!;
  }
  if (options.debug) console.debug(tag, report);
  void sendWithRetry(report);
});
