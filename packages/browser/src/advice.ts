/**
 * What to do about each warning, by its number. Empty here: the `development` build replaces this module by
 * advice.development.ts.
 */
export const advice: Readonly<Record<number, string | undefined>> = {};
