import { guard, isStopped, type Client } from './client.ts';
import { withErrorProperties, type ErrorFields } from './error-to-report.ts';
import { readText } from './guard.ts';
import { byteLength, normalize } from './normalize.ts';
import type { BeforeSend } from './options.ts';
import type { Breadcrumb, Report } from './report.ts';
import type { ScopeFields } from './scope.ts';
import { scriptUrl } from './script-url.ts';
import { consolePrefix, warn } from './warn.ts';

declare global {
  /** The debug ids that bundles register: `{ [stack inside the script]: id }`. */
  var __serviceDebugIds: Record<string, string> | undefined;
  /** The release that the bundler plugin sets. */
  var __serviceRelease: string | undefined;
}

/** The version in package.json; a test compares them. */
const version = '0.1.0';

/** Browsers limit the `keepalive` requests in flight to 64 KiB. */
const maxBytes = 60_000;

/** What is read of an error while the page is blocked. */
export interface PendingReport {
  value: unknown;
  fields: ErrorFields;
  eventId: string;
  timestamp: string;
  url: string;
  scope: ScopeFields;
  formatBreadcrumbs: (() => Breadcrumb[] | undefined) | undefined;
}

/** Completes a report, passes it to `beforeSend` and sends it. Never rejects. */
export async function processReport(client: Client, pending: PendingReport): Promise<void> {
  const { settings } = client;
  let report = guard(client, () => createReport(client, pending));
  if (report && settings.beforeSend) report = await applyBeforeSend(client, report, settings.beforeSend);
  if (!report || client.isEnded || isStopped(client)) return;
  report.project_api_key = settings.apiKey;
  addDebugIds(report);
  if (settings.debug) console.debug(consolePrefix, report);
  await client.parts.send(client, report);
}

/** Returns a report. Its fields are in order of importance: the last ones are dropped if it is too large. */
function createReport(client: Client, { value, fields, scope, ...pending }: PendingReport): Report {
  const { environment, release = globalThis.__serviceRelease } = client.settings;
  const breadcrumbs = pending.formatBreadcrumbs?.();
  const report = {
    ...fields,
    event_id: pending.eventId,
    sdk: { name: '@service/browser', version },
    environment,
    release,
    timestamp: pending.timestamp,
    url: pending.url,
    device: readDevice(),
    ...scope,
    metadata: withErrorProperties(scope.metadata, value),
  };
  return { ...copyReport(client, report, maxBytes - byteLength(JSON.stringify([breadcrumbs]))), breadcrumbs };
}

/** Copies a report without secrets. The page decides about the user's details, so they are not scrubbed. */
function copyReport({ settings }: Client, report: Partial<Report>, bytes?: number): Report {
  const copy = normalize(report, bytes) as Report;
  if (settings.sendUserDetails) copy.user = report.user;
  return copy;
}

/**
 * Returns what `beforeSend` returns, or undefined to drop the report. What `beforeSend` throws drops it: the callback may
 * have been about to remove something.
 */
async function applyBeforeSend(client: Client, report: Report, beforeSend: BeforeSend): Promise<Report | undefined> {
  const result = guard(client, () => {
    client.isInBeforeSend = true;
    return [beforeSend(report)];
  });
  client.isInBeforeSend = false;
  if (!result) return;
  try {
    const changed = await result[0];
    if (changed === null) return;
    if (!readText(changed, 'message')) warn(11, 'beforeSend must return the report or null', client.warned);
    // Without a return value, the report may have been changed in place.
    const copied = changed === undefined ? report : changed;
    if (readText(copied, 'message')) return copyReport(client, copied);
  } catch (error) {
    warn(5, 'beforeSend rejected', client.warned, error);
  }
}

/** Returns the size of the window, the language and the speed of the network. A worker has no window. */
function readDevice(): Report['device'] {
  const { innerWidth, innerHeight, navigator } = globalThis;
  const { language, connection }: Navigator & { connection?: { effectiveType?: string } } = navigator;
  const viewport = innerWidth ? `${innerWidth}x${innerHeight}` : undefined;
  return { viewport, language, connection: connection?.effectiveType };
}

function addDebugIds(report: Report): void {
  for (const stack in globalThis.__serviceDebugIds) {
    const url = scriptUrl(stack);
    if (url && report.stacktrace?.includes(`${url}:`)) {
      (report.debug_ids ??= {})[url] = String(globalThis.__serviceDebugIds[stack]);
    }
  }
}
