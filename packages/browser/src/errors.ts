import { flight, options, page, shared, start, undos, type Extras } from './client.ts';
import { describeError, type Thrown } from './describe-error.ts';
export { captureException, captureMessage } from './capture-exception.ts';
export { close, flush } from './client.ts';
import { guard } from './guard.ts';
import { listen } from './listen.ts';
import type { ErrorsOptions, Settings } from './options.ts';
export { setMetadata } from './set-metadata.ts';

import { readThrown } from './read-thrown.ts';
import type { Report } from './report.ts';
export type { CaptureContext } from './capture-exception.ts';
import { secret } from './scrub.ts';
export type { ErrorsOptions as Options } from './options.ts';
export type { Level, Report } from './report.ts';
import { warn } from './warn.ts';
export { setUser } from './set-user.ts';
export type { User } from './set-user.ts';

/** What was captured within the last five seconds. */
const held = new Set<unknown>();

/**
 * Starts to report what nobody caught, and nothing else: no breadcrumbs, no filters, no second try. Call it at the very
 * start of the entry point: what fails earlier is not seen. Only the first call counts, until close(). Never throws.
 */
export const init = guard((given: ErrorsOptions): void => {
  const window = start(given as Settings, capture);
  if (!window) return;
  // An event of a node is a resource that failed to load.
  const hear = (event: Event): void => {
    if (!(event.target as Node).nodeType) capture(event);
  };
  undos.push(listen(window, 'error', hear), listen(window, 'unhandledrejection', hear));
  // What the loader has kept.
  page.undo?.(hear);
});

const capture = guard((thrown: unknown, extras: Extras = shared): void => {
  if (!options || page.stop) return;
  const [value, place] = readThrown(thrown as Thrown);
  const described = describeError(value, clean, place);
  const same = described.type ? described.stacktrace : value;
  if (held.has(same)) return;
  if (held.size > 9) return warn('6: Too many errors');
  held.add(same);
  setTimeout(() => held.delete(same), 5_000);

  const report = {
    ...described,
    environment: options.environment,
    release: options.release,
    url: location.href,
    ...extras,
  } as Report;
  // What beforeSend captures itself would go round in circles.
  page.stop = true;
  const changed = guard(() => options!.beforeSend && clean(options!.beforeSend(clean(report))))();
  page.stop = false;
  if (changed !== null) void send(changed?.message ? changed : clean(report));
});

function clean<Value>(value: Value): Value {
  return JSON.parse(
    JSON.stringify(value, (key, part) =>
      `${key}=1`.match(secret) ? '[scrubbed]' : (part?.replace?.(secret, '$1[scrubbed]') ?? part),
    ),
  );
}

async function send(report: Report): Promise<void> {
  const body = JSON.stringify({ ...report, project_api_key: options!.apiKey });
  let status = 403;
  flight[0]++;
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
    // A browser that refuses for CORS tells as much as a server that is down.
  }
  flight[0]--;
  const problem = { 401: '8: Check apiKey', 429: '9: No quota' }[status];
  if (problem) page.stop = true;
  if (status >= 400) warn(problem ?? '10: Check allow-list', status);
}
