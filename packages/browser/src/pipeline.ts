import { captureResource } from './capture-resource.ts';
import type { Instrument, Pipeline } from './client.ts';
import { describeValue } from './describe-value.ts';
import { createGate } from './gate.ts';
import { instrumentClick } from './instruments/click.ts';
import { instrumentConsole } from './instruments/console.ts';
import { instrumentFetch } from './instruments/fetch.ts';
import { instrumentGlobalErrors } from './instruments/global-errors.ts';
import { instrumentHistory } from './instruments/history.ts';
import { instrumentOnerror } from './instruments/onerror.ts';
import { instrumentPageExit } from './instruments/page-exit.ts';
import { instrumentUnhandledRejections } from './instruments/unhandled-rejections.ts';
import { instrumentXhr } from './instruments/xhr.ts';
import { normalize } from './normalize.ts';
import type { BreadcrumbSwitches } from './options.ts';
import { prepareDetails } from './report-details.ts';
import { createSendWithRetry } from './send-with-retry.ts';

/** Returns the pipeline of the default entry, for one client. */
export function createPipeline(): Pipeline {
  return {
    instruments: [
      instrumentGlobalErrors,
      instrumentOnerror,
      instrumentUnhandledRejections,
      instrumentPageExit,
      unlessOff('navigation', instrumentHistory),
      unlessOff('click', instrumentClick),
      unlessOff('fetch', instrumentFetch),
      unlessOff('xhr', instrumentXhr),
      unlessOff('console', instrumentConsole),
    ],
    captureResource,
    describeValue,
    gate: createGate(),
    prepareDetails,
    copyReport: normalize as Pipeline['copyReport'],
    send: createSendWithRetry(),
  };
}

/** Returns an instrument that does nothing if the option `breadcrumbs` switches it off. */
function unlessOff(kind: keyof BreadcrumbSwitches, instrument: Instrument): Instrument {
  return (client) => {
    if (client.settings.breadcrumbs?.[kind] !== false) instrument(client);
  };
}
