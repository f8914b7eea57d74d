import { snapshotBreadcrumbs } from './breadcrumbs.ts';
import type { Parts } from './client.ts';
import { passesFilters } from './filters.ts';
import { instrumentClick } from './instruments/click.ts';
import { instrumentConsole } from './instruments/console.ts';
import { instrumentFetch } from './instruments/fetch.ts';
import { instrumentGlobalErrors } from './instruments/global-errors.ts';
import { instrumentHistory } from './instruments/history.ts';
import { instrumentPageExit } from './instruments/page-exit.ts';
import { instrumentResources } from './instruments/resources.ts';
import { instrumentUnhandledRejections } from './instruments/unhandled-rejections.ts';
import { instrumentXhr } from './instruments/xhr.ts';
import { sendWithRetry } from './retry.ts';

/** The parts of the default entry. */
export const parts: Parts = {
  instruments: [
    instrumentGlobalErrors,
    instrumentUnhandledRejections,
    instrumentResources,
    instrumentPageExit,
    instrumentHistory,
    instrumentClick,
    instrumentFetch,
    instrumentXhr,
    instrumentConsole,
  ],
  passesFilters,
  snapshotBreadcrumbs,
  send: sendWithRetry,
};
