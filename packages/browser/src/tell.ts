import { bytesOf } from './bytes-of.ts';
import { options, page } from './client.ts';
import { copy } from './copy.ts';
import { deliver } from './deliver.ts';
import { fileOf } from './file-of.ts';
import { guard } from './guard.ts';
import { isWanted } from './is-wanted.ts';
import type { Report } from './report.ts';
import type { Crumb } from './trail.ts';
import { tag, warn } from './warn.ts';

/** As in package.json; a test compares them. */
const version = '0.1.0';

declare global {
  var __serviceDebugIds: Record<string, string> | undefined;
}

/** What is known at the moment when something is thrown: neither scrubbed nor JSON yet. */
export type Taken = Omit<Report, 'project_api_key' | 'timestamp' | 'breadcrumbs'> & {
  timestamp: Date;
  breadcrumbs: Crumb[] | undefined;
};

let passed = 0;

/** Makes a report of what was taken, shows it to the page and sends it. */
export const tell = guard((taken: Taken): void => {
  if (!options || page.stop || !isWanted(taken)) return;
  // Ten at once, and one more a second; what the loader has kept comes all at once.
  if (!page.early && passed > 9) return warn('6: Too many errors');
  setTimeout(() => passed--, 1_000 * ++passed);
  taken = {
    // Missing where the page came over plain HTTP; the server does without.
    event_id: crypto.randomUUID?.(),
    sdk: { name: '@service/browser', version },
    environment: options.environment,
    release: options.release,
    ...taken,
  };
  // The oldest give way.
  while (bytesOf(JSON.stringify(taken.breadcrumbs)) > 30_000) taken.breadcrumbs!.shift();

  // What beforeSend captures itself would go round in circles.
  page.stop = true;
  const changed = copy(guard(() => options!.beforeSend(copy(taken) as Report))()) as Report | null | undefined;
  page.stop = false;
  if (changed === null) return;
  const report = changed?.message ? changed : (copy(taken) as Report);
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
