import type { Settings } from './client.ts';

/**
 * Warns about unknown members of the options `breadcrumbs` and `ignore`. Does nothing here: the `development` build
 * replaces this module by check-switches.development.ts.
 */
export function checkSwitches(_settings: Settings): void {}
