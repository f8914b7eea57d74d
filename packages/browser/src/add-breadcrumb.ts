import { addBreadcrumbTo, type BreadcrumbInput } from './breadcrumbs.ts';
import { defaultClient } from './default-client.ts';

// Not in default-client.ts, which `errors.ts` loads too: that entry has no breadcrumbs.

/** Adds a breadcrumb to the next reports. `data` is copied. */
export function addBreadcrumb(input: BreadcrumbInput): void {
  addBreadcrumbTo(defaultClient(), input);
}
