import type { Settings } from './client.ts';

/**
 * Warns about unknown members of the options `breadcrumbs` and `ignore`. Does nothing here: the `development` build
 * replaces this module by check-nested-options.development.ts.
 */
export function checkNestedOptions(_settings: Settings): void {}
