import type { ScopeFields } from './report.ts';
import { guard, isStopped, type Client } from './client.ts';
import { errorToReport } from './error-to-report.ts';
import { createEventId } from './event-id.ts';
import { readText } from './guard.ts';
import { processReport } from './process-report.ts';
import { unwrapEvent } from './unwrap-event.ts';
import { warn } from './warn.ts';

declare global {
  /** The release that the bundler plugin sets. */
  var __serviceRelease: string | undefined;
}

const repeatMs = 5_000;

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
    const { settings, parts, latest } = client;
    if (client.isClosed || client.isInCallback || isStopped(client)) return;
    const { value, frame } = unwrapEvent(thrown);
    // `capture(error); throw error` is one error, and so is an error that reaches several hooks.
    if (latest && latest.value === value) return latest.eventId;

    const now = early ?? Date.now();
    const identity = identityOf(value);
    const recent = client.dedupe.get(identity);
    if (recent && now < recent.until) return remember(client, value, void recent.repeats++);
    const fields = errorToReport(value, frame, parts.describeValue);
    if (parts.passesFilters?.(client, fields) === false) return remember(client, value);
    // Early errors arrive all at once, so they are exempt from the limit.
    if (!early && !client.takeToken(now)) {
      warn(6, 'Too many errors, some are dropped', client.warned);
      return remember(client, value);
    }

    const eventId = createEventId();
    const { environment, release = globalThis.__serviceRelease } = settings;
    const report = {
      ...fields,
      stacktrace: fields.stacktrace || undefined,
      event_id: eventId,
      environment,
      release,
      timestamp: new Date(now).toISOString(),
      url: location.href,
      ...scope,
      ...(recent?.repeats && { metadata: { ...scope.metadata, repeated: recent.repeats } }),
    };
    const complete = parts.prepareDetails?.(client, value);
    client.queue.push(() => processReport(client, report, complete));
    client.dedupe.set(identity, { until: now + repeatMs, repeats: 0 });
    if (client.isLeaving) processQueue(client);
    return remember(client, value, eventId);
  });
}

/**
 * Remembers a value until the next task, once it was captured as a whole: near a stack overflow, a first try may fail.
 * Each report starts a timer, because the fake timers of a test may have swallowed the previous one.
 */
function remember(client: Client, value: unknown, eventId?: string): string | undefined {
  if (eventId || !client.latest) setTimeout(() => drain(client));
  client.latest = { value, eventId };
  return eventId;
}

/** Processes the captured errors. Once the page is left, new errors no longer wait for the next task. */
export function drain(client: Client, isLeaving = false): void {
  client.isLeaving = isLeaving;
  client.latest = undefined;
  processQueue(client);
}

function processQueue(client: Client): void {
  for (const process of client.queue.splice(0)) track(client, process());
}

/** Lets `flush()` and `close()` wait for a report. */
export function track({ pending }: Client, sent: Promise<void>): void {
  const tracked = sent.finally(() => pending.delete(tracked));
  pending.add(tracked);
}

/** Returns what two occurrences of an error have in common: class, message and stack. Other values are themselves. */
function identityOf(value: unknown): unknown {
  const stack = readText(value, 'stack');
  return stack ? `${readText(value, 'name')}: ${readText(value, 'message')}\n${stack}` : value;
}
