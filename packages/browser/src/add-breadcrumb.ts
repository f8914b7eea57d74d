import { addBreadcrumbTo, type BreadcrumbInput } from './breadcrumbs.ts';
import { defaultClient } from './default-client.ts';

/** Adds a breadcrumb to the next reports. `data` is copied. */
export function addBreadcrumb(input: BreadcrumbInput): void {
  addBreadcrumbTo(defaultClient(), input);
}
