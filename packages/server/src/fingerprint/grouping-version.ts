/** A version of the grouping rules. Earlier versions are still computed, to find the groups that they opened. */
export type GroupingVersion = 1 | 2;

/** Must be raised when the same report gets other components. `earlierFingerprints` then finds its former group. */
export const groupingVersion = 2;
