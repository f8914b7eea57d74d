import { captureClick } from './capture/click.ts';
import { captureConsole } from './capture/console.ts';
import { captureFetch } from './capture/fetch.ts';
import { captureHistory } from './capture/history.ts';
import { captureOnerror } from './capture/onerror.ts';
import { captureResource } from './capture/resource.ts';
import { captureUnhandledRejection } from './capture/unhandled-rejection.ts';
import { captureXhr } from './capture/xhr.ts';
import { captureException, note, start } from './client.ts';
import type { Options } from './options.ts';

/**
 * Starts to report errors. Call it at the very start of the entry point: what fails earlier is not seen.
 * Only the first call counts, until close(). Never throws.
 */
export function init(options: Options): void {
  start(options, (window) => [
    captureOnerror(window, captureException),
    captureUnhandledRejection(window, captureException),
    captureResource(window, captureException),
    captureHistory(window, note),
    captureClick(window, note),
    captureFetch(window, note),
    captureXhr(window, note),
    captureConsole(window, note),
  ]);
}
