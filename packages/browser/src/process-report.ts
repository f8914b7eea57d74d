import { callPage, isStopped, type Client } from './client.ts';
import { readText } from './guard.ts';
import type { BufferedBreadcrumb, RawReport, Report } from './report.ts';
import { warn } from './warn.ts';

/** Completes a report, passes it to `beforeSend` and sends it. Drops it if a callback or a getter throws. Never rejects. */
export async function processReport(
  client: Client,
  raw: RawReport,
  error: unknown,
  breadcrumbs: BufferedBreadcrumb[],
): Promise<void> {
  const { addDetails } = client.parts;
  try {
    const complete = copyReport(client, addDetails ? addDetails(raw, error, breadcrumbs) : raw);
    const report = await applyBeforeSend(client, complete);
    if (report && !isStopped(client)) await client.send(client, report);
  } catch (failure) {
    warn(5, 'Your callback or getter threw', client, failure);
  }
}

/** Copies a report without secrets. The page decides about the user's details, so they are not scrubbed. */
function copyReport({ settings, parts }: Client, raw: RawReport): Report {
  const report: Report = { ...parts.copyReport(raw), project_api_key: settings.apiKey };
  if (settings.sendUserDetails) report.user = raw.user;
  return report;
}

/** Returns what `beforeSend` returns, or undefined to drop the report. Rejects with what `beforeSend` throws. */
async function applyBeforeSend(client: Client, report: Report): Promise<Report | undefined> {
  const { beforeSend } = client.settings;
  if (!beforeSend) return report;
  const changed = await callPage(client, () => beforeSend(report));
  if (changed === null) return;
  const isReport = readText(changed, 'message');
  if (!isReport) warn(11, 'beforeSend must return the report or null', client);
  // Without a return value, the report may have been changed in place.
  return isReport || changed === undefined ? copyReport(client, changed ?? report) : undefined;
}
