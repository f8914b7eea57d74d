import { callPage, isStopped, type Client } from './client.ts';
import { readText } from './guard.ts';
import type { CompleteReport, RawReport, Report } from './report.ts';
import { consolePrefix, warn } from './warn.ts';

/** Completes a report, passes it to `beforeSend` and sends it. Drops it if a callback or a getter throws. Never rejects. */
export async function processReport(client: Client, raw: RawReport, complete?: CompleteReport): Promise<void> {
  const { debug } = client.settings;
  try {
    const report = await applyBeforeSend(client, copyReport(client, complete ? complete(raw) : raw));
    if (!report || client.isEnded || isStopped(client)) return;
    if (debug) console.debug(consolePrefix, report);
    await client.send(report);
  } catch (error) {
    warn(5, 'Your callback or getter threw', client.warned, error);
  }
}

/** Copies a report without secrets. The page decides about the user's details, so they are not scrubbed. */
function copyReport({ settings, parts }: Client, raw: RawReport): Report {
  const report = { ...parts.copyReport(raw), project_api_key: settings.apiKey };
  return settings.sendUserDetails ? { ...report, user: raw.user } : report;
}

/** Returns what `beforeSend` returns, or undefined to drop the report. Throws what `beforeSend` throws. */
async function applyBeforeSend(client: Client, report: Report): Promise<Report | undefined> {
  const { beforeSend } = client.settings;
  if (!beforeSend) return report;
  const changed = await callPage(client, () => beforeSend(report));
  if (changed === null) return;
  if (!readText(changed, 'message')) warn(11, 'beforeSend must return the report or null', client.warned);
  // Without a return value, the report may have been changed in place.
  const returned = changed ?? report;
  return readText(returned, 'message') ? copyReport(client, returned) : undefined;
}
