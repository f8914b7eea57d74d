import { captureOnerror } from './capture/onerror.ts';
import { captureUnhandledRejection } from './capture/unhandled-rejection.ts';
import { captureException, start } from './client.ts';
import type { Options } from './options.ts';

export { addBreadcrumb, captureException, captureMessage, close, flush, setMetadata, setUser } from './client.ts';
export type { BreadcrumbInput, CaptureContext, User } from './client.ts';
export type { Options } from './options.ts';
export type { Breadcrumb, Level, Report } from './report.ts';
export type { Answer } from './transport.ts';

/**
 * Starts to report errors, without breadcrumbs of its own. Call it at the very start of the entry point: what fails
 * earlier is not seen. Only the first call counts, until close(). Never throws.
 */
export function init(options: Options): void {
  start(options, (window) => [
    captureOnerror(window, captureException),
    captureUnhandledRejection(window, captureException),
  ]);
}
