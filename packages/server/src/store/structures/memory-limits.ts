import { limits } from '@service/protocol';

// Limits of what the groups of a project count, because all of it is in memory.

/** Values of a tag such as the URL, and their characters. When there are more, the rarer half counts as other. */
export const maxTagValues = 100;
export const maxTagChars = 8_192;
/** The characters of a URL that is counted. */
export const maxTagUrlChars = 200;
/** Names of custom tags. Further names are not counted. */
export const maxTagNames = limits.searchableTags;
/** Values of one custom tag, and their characters. When there are more, the rarer half counts as other. */
export const maxCustomTagValues = 100;
export const maxCustomTagChars = 2_048;
/** Users that are counted exactly. A higher number is estimated. */
export const maxExactUsers = 1_000;
/**
 * Characters of the custom tags that the groups of a project count. When there are more, groups count no new name, and
 * a new value counts as other.
 */
export const maxProjectTagChars = 8 * 1024 * 1024;
/**
 * A larger group takes the bytes above this size from its project's `maxLargeGroupBytes`. When these are used up, a new
 * value of any tag counts as other.
 */
export const largeGroupBytes = 2 * 1024;
export const maxLargeGroupBytes = 32 * 1024 * 1024;
