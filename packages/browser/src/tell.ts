import { options, page } from './client.ts';
import { copy } from './copy.ts';
import { addDebugIds } from './debug-ids.ts';
import { deliver } from './deliver.ts';
import { guard } from './guard.ts';
import type { Report } from './report.ts';
import type { Crumb } from './trail.ts';
import { tag } from './warn.ts';

/** What is known at the moment when something is captured: a report that is neither scrubbed nor JSON yet. */
export type Taken = Omit<Report, 'project_api_key' | 'timestamp' | 'breadcrumbs'> & {
  timestamp: Date;
  breadcrumbs: Crumb[] | undefined;
};

/** Makes a report of what was taken, shows it to the page and sends it. */
export const tell = guard((taken: Taken): void => {
  if (!options || page.stop) return;
  // The oldest give way.
  while (new Blob([JSON.stringify(taken.breadcrumbs)]).size > 32_000) taken.breadcrumbs!.shift();

  // What beforeSend captures itself would go round in circles.
  page.stop = true;
  const changed = copy(guard(options.beforeSend)(copy(taken) as Report)) as Report | null | undefined;
  page.stop = false;
  if (changed === null) return;
  const report = changed?.message ? changed : (copy(taken) as Report);
  report.project_api_key = options.apiKey;
  addDebugIds(report);
  if (options.debug) console.debug(tag, report);
  void deliver(report);
});
