import { globalState, options, pending, start, teardowns } from './client.ts';
import { errorToReport, type Thrown } from './error-to-report.ts';
import { guard } from './guard.ts';
import { listen } from './listen.ts';
import type { ErrorsOptions, Settings } from './options.ts';
import type { Report } from './report.ts';
import { scope, type Scope } from './scope.ts';
import { secret } from './scrub.ts';
import { unwrapEvent } from './unwrap-event.ts';
import { warn } from './warn.ts';

export { captureException, captureMessage } from './capture-exception.ts';
export type { CaptureContext } from './capture-exception.ts';
export { close, flush } from './client.ts';
export type { ErrorsOptions as Options } from './options.ts';
export type { Level, Report } from './report.ts';
export { setMetadata } from './set-metadata.ts';
export { setUser } from './set-user.ts';
export type { User } from './set-user.ts';

/** The errors of the last five seconds, at most ten. The list is also the rate limit. */
const recentErrors = new Set<unknown>();

/**
 * Starts to report uncaught errors. This entry has no breadcrumbs, no filters and no retries. Call it at the very start
 * of the entry point: earlier errors are not reported. Only the first call has an effect, until `close()`. Never
 * throws.
 */
export const init = guard((given: ErrorsOptions): void => {
  const window = start(given as Settings, captureError);
  if (!window) return;
  const handleEvent = (event: Event): void => {
    // The target is a node if a resource failed to load.
    if (!(event.target as Node).nodeType) captureError(event);
  };
  teardowns.push(listen(window, 'error', handleEvent), listen(window, 'unhandledrejection', handleEvent));
  globalState.undo?.(handleEvent);
});

const captureError = guard((thrown: unknown, reportScope: Scope = scope): void => {
  if (!options || globalState.disabled) return;
  const [value, frame] = unwrapEvent(thrown as Thrown);
  const fields = errorToReport(value, toJson, frame);
  const identity = fields.type ? fields.stacktrace : value;
  if (recentErrors.has(identity)) return;
  if (recentErrors.size > 9) return warn('6: Too many errors');
  recentErrors.add(identity);
  setTimeout(() => recentErrors.delete(identity), 5_000);

  const report = {
    ...fields,
    environment: options.environment,
    release: options.release,
    url: location.href,
    ...reportScope,
  } as Report;
  // An error that beforeSend captures itself would cause an endless loop.
  globalState.disabled = true;
  const changed = guard(() => options!.beforeSend && toJson(options!.beforeSend(toJson(report))))();
  globalState.disabled = false;
  if (changed !== null) void send(changed?.message ? changed : toJson(report));
});

/** Returns a copy of a value with JSON types only, without secrets. */
function toJson<Value>(value: Value): Value {
  return JSON.parse(
    JSON.stringify(value, (key, part) =>
      `${key}=1`.match(secret) ? '[scrubbed]' : (part?.replace?.(secret, '$1[scrubbed]') ?? part),
    ),
  );
}

async function send(report: Report): Promise<void> {
  const body = JSON.stringify({ ...report, project_api_key: options!.apiKey });
  let status = 403;
  pending[0]++;
  try {
    ({ status } = await fetch(options!.endpoint.replace(/\/$/, '') + '/api/v1/errors', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
      keepalive: body.length < 6_000,
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      redirect: 'error',
    }));
  } catch {
    // A CORS refusal and an unreachable server look the same: the status stays 403.
  }
  pending[0]--;
  const fatal = { 401: '8: Check apiKey', 429: '9: No quota' }[status];
  if (fatal) globalState.disabled = true;
  if (status >= 400) warn(fatal ?? '10: Check allow-list', status);
}
