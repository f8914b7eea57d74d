import type { Client } from './client.ts';
import { callPage } from './guard.ts';
import { readText } from './read-property.ts';
import type { AddDetails, ErrorReport, RawReport } from './report.ts';
import { warn } from './warn.ts';

/**
 * Completes a report, passes it to `beforeSend` and sends it. Drops it if a callback or a getter throws. Never rejects.
 */
export async function processReport(client: Client, raw: RawReport, addDetails?: AddDetails): Promise<void> {
  try {
    // `capture` reads its errors while the page is blocked if too many wait. What follows here waits until the script
    // of the page has ended.
    // oxlint-disable-next-line unicorn/no-unnecessary-await -- any value will do
    await null;
    const report = await applyBeforeSend(client, createReport(client, addDetails ? addDetails(raw) : raw));
    if (report) await client.send(client, report);
  } catch (error) {
    warn(5, 'A callback or getter threw', client, error);
  }
}

/** Copies a report without secrets. With `sendUserDetails`, the user is not scrubbed. */
function createReport({ settings, copyReport }: Client, raw: RawReport): ErrorReport {
  const report: ErrorReport = { ...copyReport(raw), project_api_key: settings.apiKey };
  if (settings.sendUserDetails) report.user = raw.user;
  return report;
}

/**
 * Resolves with the report, or with a scrubbed copy of the one that `beforeSend` returns or has changed. Resolves with
 * undefined if `beforeSend` returns null or no message is left: the report is dropped. Rejects with what `beforeSend`
 * throws.
 */
async function applyBeforeSend(client: Client, report: ErrorReport): Promise<ErrorReport | undefined> {
  const { beforeSend } = client.settings;
  if (!beforeSend) return report;
  const { message } = report;
  const changed = await callPage(client, () => beforeSend(report));
  if (changed === null) return;
  if (!readText(changed, 'message')) warn(11, 'beforeSend returned no report', client);
  // Without a return value, the report may have been changed in place.
  const copy = createReport(client, changed ?? report);
  // The stack repeats the message after its type. What `beforeSend` has removed from the message must not be sent in
  // the stack. The names of functions and files may contain the message by chance.
  copy.stacktrace = copy.stacktrace?.split(`: ${message}`).join(`: ${copy.message}`);
  if (readText(copy, 'message')) return copy;
}
