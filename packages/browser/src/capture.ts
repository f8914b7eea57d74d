import { guard, isStopped, type Client } from './client.ts';
import { errorToReport, messageOf } from './error-to-report.ts';
import { createEventId } from './event-id.ts';
import { processReport } from './process-report.ts';
import type { RawReport, ScopeFields } from './report.ts';
import { unwrapEvent } from './unwrap-event.ts';

declare global {
  /** The release that the bundler plugin sets. */
  var __serviceRelease: string | undefined;
}

/**
 * Captures a thrown value or an error event. Runs while the page is blocked, so it reads only what the page may change.
 * The rest, such as the stack, which the engine formats on first access, is read with the next error or in a later task.
 * Returns the id of the report, or undefined if nothing more is sent. Never throws. `early` is the time of an error before
 * `init()`, in milliseconds since 1970.
 */
export function capture(
  client: Client,
  thrown: unknown,
  scope: ScopeFields = client.scope,
  early?: number,
): string | undefined {
  return guard(client, () => {
    const { latest, parts, settings } = client;
    if (client.isInCallback || isStopped(client)) return;
    const { value, location: frame } = unwrapEvent(thrown);
    // `capture(error); throw error` is one error, and so is an error that reaches several hooks.
    if (latest && latest.value === value) return latest.eventId;
    latest?.read();

    const eventId = createEventId();
    const message = messageOf(value, parts.describeValue);
    const breadcrumbs = [...client.breadcrumbs];
    const context: Omit<RawReport, 'message'> = {
      event_id: eventId,
      environment: settings.environment,
      release: settings.release ?? globalThis.__serviceRelease,
      timestamp: new Date(early ?? Date.now()),
      url: location.href,
      ...scope,
    };

    function read(): void {
      const error = errorToReport(value, message, frame, parts.describeValue);
      const report = { ...error, ...context };
      const identity = error.type ? error.stacktrace : value;
      if (!client.accept(client, report, identity, Boolean(early))) return;
      client.queue.push(() => processReport(client, report, value, breadcrumbs));
    }

    // Each error starts a timer, because the fake timers of a test may have swallowed the previous one.
    setTimeout(() => drain(client));
    client.latest = { value, eventId, read };
    if (client.isLeaving) drain(client, true);
    return eventId;
  });
}

/** Processes the captured errors. Once the page is left, new errors no longer wait for the next task. */
export function drain(client: Client, isLeaving = false): void {
  const { latest, queue } = client;
  client.isLeaving = isLeaving;
  client.latest = undefined;
  if (latest) guard(client, latest.read);
  for (const process of queue.splice(0)) track(client, process());
}

/** Lets `flush()` and `close()` wait for a report. */
export function track({ pending }: Client, sent: Promise<void>): void {
  const tracked = sent.finally(() => pending.delete(tracked));
  pending.add(tracked);
}
