import { breadcrumbKinds, failedFetch, ownRequests } from './breadcrumbs.ts';
import { debugIds } from './debug-ids.ts';
import { largeReports, leaving, offline } from './delivery.ts';
import { earlyErrors } from './early-errors.ts';
import { errorShapes, oddShapes } from './error-shapes.ts';
import { closing, handlers, patchedFunctions } from './hooks.ts';
import { noLeak } from './leak.ts';
import { privacy } from './privacy.ts';
import type { SdkPromise } from '../sdk-promise.ts';
import { quota } from './quota.ts';
import { sentry } from './sentry.ts';
import { realServer } from './server.ts';
import { clobbered, sandboxed, strictCsp, twice, workers } from './surroundings.ts';

/** The rows of the table in docs/browsers.md. */
export const promises: SdkPromise[] = [
  errorShapes,
  oddShapes,
  debugIds,
  privacy,
  quota,
  offline,
  leaving,
  largeReports,
  earlyErrors,
  strictCsp,
  workers,
  sandboxed,
  sentry,
  twice,
  handlers,
  closing,
  patchedFunctions,
  breadcrumbKinds,
  ownRequests,
  failedFetch,
  clobbered,
  noLeak,
  realServer,
];
