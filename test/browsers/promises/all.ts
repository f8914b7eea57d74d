import { breadcrumbKinds, failedFetch, ownRequests } from './breadcrumbs.ts';
import { debugIds } from './debug-ids.ts';
import { largeReports, leaving, offline } from './delivery.ts';
import { earlyErrors } from './early-errors.ts';
import { errorShapes, oddShapes } from './error-shapes.ts';
import { closing, handlers, wrappedFunctions } from './hooks.ts';
import { noLeak } from './leak.ts';
import { privacy } from './privacy.ts';
import type { Promised } from './promised.ts';
import { quota } from './quota.ts';
import { sentry } from './sentry.ts';
import { realServer } from './server.ts';
import { clobbered, sandboxed, strictCsp, twice, workers } from './surroundings.ts';

/** The rows of the table. */
export const promises: Promised[] = [
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
  wrappedFunctions,
  breadcrumbKinds,
  ownRequests,
  failedFetch,
  clobbered,
  noLeak,
  realServer,
];
