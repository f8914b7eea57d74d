import type { Options } from './client.ts';
import { addBreadcrumbTo, type BreadcrumbInput } from './breadcrumbs.ts';
import { capture } from './capture.ts';
import { defaultClient, startDefaultClient } from './default-client.ts';
import { captureResourceEvent, isResourceEvent } from './instruments/resources.ts';
import { parts } from './parts.ts';
import { readOptions } from './read-options.ts';

/**
 * Starts to report errors. Call it at the very start of the entry point: earlier errors are lost. Only the first
 * call has an effect, until `close()`. Never throws.
 */
export function init(options: Options): void {
  const client = startDefaultClient(readOptions(options), parts);
  // Captures the errors that the loader snippet kept.
  client?.page.undo?.((event) => {
    if (isResourceEvent(event)) captureResourceEvent(client, event, event.early);
    else capture(client, event, undefined, event.early);
  });
}

/** Adds a breadcrumb to the next reports. `data` is copied. */
export function addBreadcrumb(input: BreadcrumbInput): void {
  addBreadcrumbTo(defaultClient(), input);
}
