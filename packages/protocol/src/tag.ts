/** What groups are counted by. */
export const tagNames = ['environment', 'release', 'browser', 'os', 'url'] as const;
export type TagName = (typeof tagNames)[number];
