import { captureClick } from './capture/click.ts';
import { captureConsole } from './capture/console.ts';
import { captureFetch } from './capture/fetch.ts';
import { captureHistory } from './capture/history.ts';
import { captureOnerror } from './capture/onerror.ts';
import { captureUnhandledRejection } from './capture/unhandled-rejection.ts';
import { captureException, drain, note, start } from './client.ts';
import { listen } from './listen.ts';
import type { Options, Switches } from './options.ts';

const instruments = {
  navigation: captureHistory,
  click: captureClick,
  fetch: captureFetch,
  console: captureConsole,
};

/**
 * Starts to report errors. Call it at the very start of the entry point: what fails earlier is not seen.
 * Only the first call counts, until close(). Never throws.
 */
export function init(options: Options): void {
  start(options, (window, switches) => {
    captureOnerror(window, captureException);
    captureUnhandledRejection(window, captureException);
    for (const name of Object.keys(instruments) as (keyof Switches)[]) {
      if (switches[name] !== false) instruments[name](window, note);
    }
    listen(window, 'pagehide', drain);
  });
}
