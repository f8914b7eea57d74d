import type { Options } from './client.ts';
import { addBreadcrumbTo, type BreadcrumbInput } from './breadcrumbs.ts';
import { defaultClient, startDefaultClient } from './default-client.ts';
import { createParts } from './parts.ts';
import { readOptions } from './read-options.ts';

/**
 * Starts to report errors. Call it at the very start of the entry point: earlier errors are lost. Only the first
 * call has an effect, until `close()`. Never throws.
 */
export function init(options: Options): void {
  startDefaultClient(readOptions(options), createParts());
}

/** Adds a breadcrumb to the next reports. `data` is copied. */
export function addBreadcrumb(input: BreadcrumbInput): void {
  addBreadcrumbTo(defaultClient(), input);
}
