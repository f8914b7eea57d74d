import { bytesOf } from './bytes-of.ts';
import { options, page } from './client.ts';
import { copy } from './copy.ts';
import { deliver } from './deliver.ts';
import { fileOf } from './file-of.ts';
import { guard } from './guard.ts';
import { isWanted } from './is-wanted.ts';
import type { Breadcrumb, Report } from './report.ts';
import { tag, warn } from './warn.ts';

declare global {
  var __serviceDebugIds: Record<string, string> | undefined;
}

/** A report that is neither scrubbed nor JSON yet. */
export type Draft = Omit<Report, 'project_api_key' | 'timestamp' | 'breadcrumbs'> & {
  timestamp: Date;
  breadcrumbs: (Omit<Breadcrumb, 'timestamp'> & { timestamp: Date })[] | undefined;
};

let passed = 0;

/** Shows a report to the page and sends it, if it is wanted. */
export const tell = guard((draft: Draft): void => {
  if (!options || page.stop || !isWanted(draft)) return;
  // Ten at once, and one more a second; what the loader has kept comes all at once.
  if (!page.early && passed > 9) return warn('6: Too many errors');
  setTimeout(() => passed--, 1_000 * ++passed);
  // The oldest give way.
  while (bytesOf(JSON.stringify(draft.breadcrumbs)) > 30_000) draft.breadcrumbs!.shift();

  // What beforeSend captures itself would go round in circles.
  page.stop = true;
  const changed = copy(guard(options.beforeSend)(copy(draft) as Report)) as Report | null | undefined;
  page.stop = false;
  if (changed === null) return;
  const report = changed?.message ? changed : (copy(draft) as Report);
  report.project_api_key = options.apiKey;
  // Of those that bundles have registered: `{ [stack of the script]: id }`.
  for (const made in self.__serviceDebugIds) {
    const file = fileOf(made);
    if (file && (report.stacktrace + '').includes(file + ':'))
      (report.debug_ids ??= {})[file] = self.__serviceDebugIds[made]!;
  }
  if (options.debug) console.debug(tag, report);
  void deliver(report);
});
