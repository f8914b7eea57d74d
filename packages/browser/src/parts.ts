import { guard, type Client, type Instrument, type Parts } from './client.ts';
import { describeValue } from './describe-value.ts';
import { createGate } from './gate.ts';
import { instrumentClick } from './instruments/click.ts';
import { instrumentConsole } from './instruments/console.ts';
import { instrumentFetch } from './instruments/fetch.ts';
import { instrumentGlobalErrors } from './instruments/global-errors.ts';
import { instrumentHistory } from './instruments/history.ts';
import { instrumentOnerror } from './instruments/onerror.ts';
import { instrumentPageExit } from './instruments/page-exit.ts';
import { captureResource } from './instruments/resources.ts';
import { instrumentUnhandledRejections } from './instruments/unhandled-rejections.ts';
import { instrumentXhr } from './instruments/xhr.ts';
import { normalize } from './normalize.ts';
import type { BreadcrumbSwitches } from './options.ts';
import { addDetails } from './report-details.ts';
import type { Report } from './report.ts';
import { createRetryingSend } from './retry.ts';

/** The instruments by name. The option `breadcrumbs` switches some off. */
const instruments: Readonly<Record<string, Instrument>> = {
  errors: instrumentGlobalErrors,
  onerror: instrumentOnerror,
  rejections: instrumentUnhandledRejections,
  exit: instrumentPageExit,
  navigation: instrumentHistory,
  click: instrumentClick,
  fetch: instrumentFetch,
  xhr: instrumentXhr,
  console: instrumentConsole,
  integrations: installIntegrations,
};

/** The parts of the default entry. */
export const parts: Parts = {
  install,
  captureResource,
  describeValue,
  createGate,
  addDetails,
  copyReport: (report) => normalize(report) as Report,
  createSend: createRetryingSend,
};

/** Starts each instrument. One that fails does not stop the others. */
function install(client: Client): void {
  for (const [name, instrument] of Object.entries(instruments)) {
    guard(client, () => {
      if (client.settings.breadcrumbs?.[name as keyof BreadcrumbSwitches] !== false) instrument(client);
    });
  }
}

function installIntegrations(client: Client): void {
  for (const integrate of client.settings.integrations ?? []) guard(client, () => integrate(client));
}
