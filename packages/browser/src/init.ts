import { captureClick } from './capture/click.ts';
import { captureConsole } from './capture/console.ts';
import { captureFetch } from './capture/fetch.ts';
import { captureHistory } from './capture/history.ts';
import { captureOnerror } from './capture/onerror.ts';
import { captureUnhandledRejection } from './capture/unhandled-rejection.ts';
import { captureException, drain, note, start } from './client.ts';
import { listen } from './listen.ts';
import type { Options } from './options.ts';

/**
 * Starts to report errors. Call it at the very start of the entry point: what fails earlier is not seen.
 * Only the first call counts, until close(). Never throws.
 */
export function init(options: Options): void {
  start(options, () => {
    captureOnerror(captureException);
    captureUnhandledRejection(captureException);
    captureHistory(note);
    captureClick(note);
    captureFetch(note);
    captureConsole(note);
    listen('pagehide', drain);
  });
}
