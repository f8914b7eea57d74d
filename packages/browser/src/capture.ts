import { isStopped, type Client } from './client.ts';
import { errorToReport, readHead, type ErrorHead } from './error-to-report.ts';
import { createEventId } from './event-id.ts';
import { guard } from './guard.ts';
import { processReport } from './process-report.ts';
import { readText } from './read-property.ts';
import type { ScopeFields } from './report.ts';
import { unwrapEvent } from './unwrap-event.ts';

/** The maximum number of captured errors that are held until they are read. */
const maxUnread = 100;
const maxTimers = 10;

/**
 * Captures a thrown value or an error event. Runs while the page is blocked, so it reads only what the page may change
 * afterwards. The rest follows in a later task: the stack, which the engine formats when it is first read, is most of
 * the cost. Returns the id of the report, or undefined if nothing can be sent. Never throws. `occurredAt` is the time
 * of an error before `init()`, in milliseconds since 1970.
 */
export function capture(
  client: Client,
  thrown: unknown,
  scope: ScopeFields = client.scope,
  occurredAt?: number,
): string | undefined {
  return guard(client, () => {
    const { captured, describeValue } = client;
    if (client.isClosed || client.isInCallback || isStopped(client)) return;
    const { value, frame } = unwrapEvent(thrown);
    // `capture(error); throw error` is one error, and so is an error that reaches several hooks.
    for (const known of captured) if (known.value === value) return known.event_id;
    if (captured.length >= maxUnread) drain(client);

    const event_id = createEventId();
    const timestamp = occurredAt ?? Date.now();
    const head = readHead(value, describeValue);
    const context = { event_id, url: location.href, ...scope };
    const addDetails = client.prepareDetails?.(client, head.type ? value : undefined);

    const read = (): void => {
      const report = client.gate(client, identityOf(value, head), timestamp, !!occurredAt, () => ({
        ...errorToReport(value, frame, describeValue, head),
        timestamp: new Date(timestamp),
        ...context,
      }));
      if (report) track(client, processReport(client, report, addDetails));
    };

    // Several errors start a timer each, because the fake timers of a test may have swallowed the first one.
    if (captured.length < maxTimers) {
      setTimeout(() => {
        client.isLeaving = false;
        drain(client);
      });
    }
    // This step is the last one. Near a stack overflow, an earlier step may throw, and the next hook captures the error
    // again.
    captured.push({ value, event_id, read });
    if (client.isLeaving) drain(client);
    return event_id;
  });
}

/**
 * Returns what two occurrences of an error have in common: class, message and stack. Other values are their own
 * identity.
 */
function identityOf(value: unknown, { type, message }: ErrorHead): unknown {
  const stack = readText(value, 'stack');
  return stack ? `${type}: ${message}\n${stack}` : value;
}

/** Reads the captured errors. Their reports are processed when the running script has ended. */
export function drain(client: Client): void {
  for (const { read } of client.captured.splice(0)) guard(client, read);
}

/** Lets `flush()` and `close()` wait for a report. */
export function track({ pending }: Client, sent: Promise<void>): void {
  const tracked = sent.finally(() => pending.delete(tracked));
  pending.add(tracked);
}
