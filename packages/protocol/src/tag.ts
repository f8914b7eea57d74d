/** The dimensions by which the reports of a group are counted. */
export const tagNames = ['environment', 'release', 'browser', 'os', 'url'] as const;
export type TagName = (typeof tagNames)[number];
