import type { Settings } from './client.ts';

/**
 * Warns about values of options that can't work. Does nothing here: the `development` build replaces this module by
 * check-option-values.development.ts.
 */
export function checkOptionValues(_settings: Settings): void {}
