import { captureErrorEvent } from './capture-error-event.ts';
import { captureWithContext } from './capture-with-context.ts';
import { capture } from './capture.ts';
import { type Settings, startClient, type Client, type Pipeline } from './client.ts';
import { closeClient } from './close.ts';
import { flushClient } from './flush.ts';
import { browserGlobal, pageState } from './page-state.ts';
import {
  applyContext,
  runWithScope,
  type CaptureContext,
  type Scope,
  type Tags,
  type TagValue,
  type User,
} from './scope.ts';
import { resetWarnings, warn } from './warn.ts';

/** The client that `init()` has started. All entries of the package share it. */
let client: Client | undefined;

export function defaultClient(): Client | undefined {
  return client;
}

/**
 * Starts the client of the page. Only the first call has an effect, until `close()`. Another copy of the SDK may start
 * a client with another key.
 */
export function startDefaultClient(settings: Settings, pipeline: Pipeline): void {
  if (!browserGlobal()) return;
  const page = pageState();
  if (client || page.started.has(settings.apiKey)) return warn(1, 'init() was already called');
  const started = (client = startClient(settings, pipeline));
  if (!started) return;
  page.started.add(settings.apiKey);
  // Captures the errors that the loader snippet kept.
  page.undo?.((event) => captureErrorEvent(started, event));
}

/**
 * Reports a caught error. Accepts any value, because any value can be thrown, and reports the inner error of an
 * ErrorEvent or a PromiseRejectionEvent. `context` applies to this report only and is copied. Returns the id of the
 * report, or undefined before `init()` and after a 401 or a 429. A report that is dropped later, such as a repeat, has
 * an id too.
 */
export function captureException(thrown: unknown, context?: CaptureContext | null): string | undefined {
  if (client) return captureWithContext(client, thrown, context);
  warn(3, 'Call init() first');
}

/** Reports a message. Its level is `info` unless the context sets another. Returns the id of the report. */
export function captureMessage(text: string, context?: CaptureContext | null): string | undefined {
  if (client) return captureWithContext(client, text, context, { level: 'info' });
  warn(3, 'Call init() first');
}

/** Reports an error of a framework, with metadata about the component from its adapter. */
export function captureFrameworkError(thrown: unknown, metadata?: Record<string, unknown>): void {
  if (!client) return warn(3, 'Call init() first');
  const { scope } = client;
  capture(client, thrown, { ...scope, ...(metadata && { metadata: { ...scope.metadata, ...metadata } }) });
}

function update(context: CaptureContext): void {
  if (client) applyContext(client, client.scope, context);
}

/** Sets the user of every later report; null or undefined removes the user. */
export function setUser(user: User | null | undefined): void {
  // Undefined is no user either: `setUser(session?.user)` must not leave the previous one.
  update({ user: user ?? null });
}

/** Sets a tag of every later report, which is shown with the report; null deletes it. */
export function setTag(name: string, value: TagValue): void {
  update({ tags: { [name]: value } });
}

/** Sets several tags of every later report; null deletes one. */
export function setTags(tags: Tags): void {
  update({ tags });
}

/** Merges keys into the metadata of every later report; null deletes a key. Values are copied. */
export function setMetadata(changes: object): void {
  update({ metadata: changes });
}

/** Calls `run` with a separate scope: what `run` sets applies only to what is captured before it returns. */
export function withScope<Result>(run: (scope: Scope) => Result): Result {
  return runWithScope(client, run);
}

/**
 * Resolves with true once every report has a response or is dropped, or with false after `timeoutMs` (2,000). Never
 * rejects.
 */
export async function flush(timeoutMs?: number): Promise<boolean> {
  return client ? flushClient(client, timeoutMs) : true;
}

/**
 * Removes every hook, sends what was captured and resolves like `flush()`. `init()` may be called again, also before
 * the promise resolves.
 */
export async function close(timeoutMs?: number): Promise<boolean> {
  resetWarnings();
  const closing = client;
  if (!closing) return true;
  client = undefined;
  pageState().started.delete(closing.settings.apiKey);
  return closeClient(closing, timeoutMs);
}
