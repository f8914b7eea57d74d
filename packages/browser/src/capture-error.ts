import { currentBreadcrumbs } from './breadcrumbs.ts';
import { globalState, options, type Capture } from './client.ts';
import { dedupe, recentErrors } from './dedupe.ts';
import { errorToReport, type Thrown } from './error-to-report.ts';
import { guard } from './guard.ts';
import { normalize } from './normalize.ts';
import { processReport, type PendingReport } from './process-report.ts';
import { scope, type Scope } from './scope.ts';

/** The version in package.json; a test compares them. */
const version = '0.1.0';

const queue: PendingReport[] = [];
/** Reads the rest of the latest error. Undefined if nothing is left to read. */
let readLatest: (() => void) | void;
/** The latest captured value; `drain` resets it. `queue` means none, because a page cannot throw it. */
let latest: unknown = queue;
let isLeaving: unknown;

/**
 * Captures a thrown value or an error event. Runs while the page is blocked, so it reads only the message, which pages
 * may change later. The engine formats `stack` on first access. So the rest is read with the next error or in a later
 * task.
 */
export const captureError = guard(((value: Thrown, reportScope: Scope = scope, now = Date.now()): void => {
  if (!options || globalState.disabled) return;
  let frame: string | undefined;
  let message: string | undefined;
  // The same as unwrapEvent(), without allocating a list.
  try {
    // Events of every realm have a phase; `instanceof` knows only one realm.
    if (value.eventPhase >= 0) {
      if (value.lineno) frame = `    at ${value.filename}:${value.lineno}:${value.colno}`;
      value = value.error ?? (value.message as unknown as Thrown) ?? value.reason;
    }
    message = value.message;
  } catch {
    // null and revoked proxies have no properties.
  }
  // `capture(error); throw error` is one error, and so is an error that reaches several hooks.
  if (value === latest) return;
  if (latest === queue) setTimeout(drain);
  latest = value;
  const breadcrumbs = currentBreadcrumbs();
  const url = location.href;
  const read = (): void => {
    // A value that is not an error is compared by identity: different values may have the same text.
    let identity: unknown = value;
    try {
      // The stack of Firefox and WebKit holds neither type nor message.
      if (value.stack) identity = (value.name as string) + message + value.stack;
    } catch {
      // A getter threw. The value is compared by identity.
    }
    dedupe(identity, now, (repeated) => {
      if (repeated) reportScope = { ...reportScope, metadata: { ...reportScope.metadata, repeated } };
      // In order of importance: if a report is too large, the last fields are dropped.
      queue.push({
        ...errorToReport(value, normalize, frame, message),
        // Missing if the page was loaded by plain HTTP. The server accepts reports without it.
        event_id: crypto.randomUUID?.(),
        sdk: { name: '@service/browser', version },
        environment: options!.environment,
        release: options!.release,
        timestamp: new Date(now),
        url,
        breadcrumbs: breadcrumbs?.map((breadcrumb) => ({ ...breadcrumb, timestamp: new Date(breadcrumb.timestamp) })),
        ...reportScope,
      });
    });
  };
  readLatest?.();
  // A value that is not an error may change as a whole, so it is read at once.
  readLatest = message?.trim ? read : read();
  if (isLeaving || globalState.early) drain(isLeaving);
}) as Capture);

/** Processes the queued reports. Once the page is `leaving`, new errors do not wait for a task, which may never run. */
export const drain = guard((leaving?: unknown): void => {
  isLeaving = leaving;
  latest = queue;
  readLatest = options && readLatest?.();
  queue.splice(0).forEach(processReport);
  // The rate limit drops most repeats that are no longer listed. After close(), queued errors were not sent, so a later
  // one is not a repeat.
  if (!options || recentErrors.size > 40) recentErrors.clear();
});
