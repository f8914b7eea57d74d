/*
 * The limits for the size of the SDK in a page, in bytes after gzip. The tests and the benchmark share them.
 */

/**
 * The entries. `budget` is the target. Until it is met, `max` is the size that was reached, which must not grow.
 *
 * @type {Record<string, { max: number, budget: number }>}
 */
export const entryLimits = {
  '@service/browser': { max: 6_419, budget: 4_800 },
  '@service/browser/errors': { max: 3_275, budget: 2_200 },
};

/** The maximum that each export of an adapter adds to a page that already uses the SDK. */
export const maxAdapterBytes = 300;

/** The inline snippet of the loader. */
export const maxSnippetBytes = 350;
