import { guard, isStopped, type Client } from './client.ts';
import { errorToReport } from './error-to-report.ts';
import { readText } from './guard.ts';
import { processReport } from './process-report.ts';
import type { ScopeFields } from './scope.ts';
import { unwrapEvent } from './unwrap-event.ts';
import { warn } from './warn.ts';

/**
 * Captures a thrown value or an error event. Runs while the page is blocked, so it only reads the error; the report is
 * completed and sent in a later task. Returns the id of the report, or undefined if nothing will be sent. Never throws.
 * `early` is the time of an error before `init()`, in milliseconds since 1970.
 */
export function capture(
  client: Client,
  thrown: unknown,
  scope: ScopeFields = client.scope,
  early?: number,
): string | undefined {
  return guard(client, () => {
    if (client.isClosed || client.isInBeforeSend || isStopped(client)) return;
    const unwrapped = unwrapEvent(thrown);
    const { value } = unwrapped;
    // `capture(error); throw error` is one error, and so is an error that reaches several hooks.
    if (client.latest && client.latest.value === value) return client.latest.eventId;
    if (!client.latest) setTimeout(() => drain(client));
    const latest: Client['latest'] = (client.latest = { value });

    const now = early ?? Date.now();
    const text = identityText(value);
    if (client.dedupe.isRepeat(value, text, now)) return;
    const fields = errorToReport(unwrapped);
    if (client.parts.passesFilters?.(client, fields) === false) return;
    // Early errors arrive all at once, so they are exempt from the limit.
    if (!early && !client.takeToken(now)) return void warn(6, 'Too many errors, some are dropped', client.warned);

    const repeated = client.dedupe.add(value, text, now);
    latest.eventId = createEventId();
    client.queue.push({
      value,
      fields,
      eventId: latest.eventId,
      timestamp: new Date(now).toISOString(),
      url: location.href,
      scope: { ...scope, ...(repeated && { metadata: { ...scope.metadata, repeated } }) },
      formatBreadcrumbs: client.parts.snapshotBreadcrumbs?.(client),
    });
    if (client.isLeaving || early) processQueue(client);
    return latest.eventId;
  });
}

/** Processes the captured errors. Once the page is left, new errors no longer wait for the next task. */
export function drain(client: Client, isLeaving = false): void {
  client.isLeaving = isLeaving;
  client.latest = undefined;
  processQueue(client);
}

function processQueue(client: Client): void {
  for (const report of client.queue.splice(0)) track(client, processReport(client, report));
}

/** Lets `flush()` and `close()` wait for a report. */
export function track({ pending }: Client, sent: Promise<void>): void {
  const tracked = sent.finally(() => pending.delete(tracked));
  pending.add(tracked);
}

/** Returns the text by which errors are compared. A value that is not an error is itself; an object has no text. */
function identityText(value: unknown): unknown {
  const stack = readText(value, 'stack');
  if (stack) return `${readText(value, 'name')}: ${readText(value, 'message')}\n${stack}`;
  if (Object(value) !== value) return value;
}

/** Returns a UUID. Pages loaded by plain HTTP have no crypto.randomUUID. */
function createEventId(): string {
  const digit = (): string => Math.floor(Math.random() * 16).toString(16);
  return crypto.randomUUID?.() ?? 'xxxxxxxx-xxxx-4xxx-axxx-xxxxxxxxxxxx'.replace(/x/g, digit);
}
