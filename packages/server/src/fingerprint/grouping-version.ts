/** A version of the grouping rules. An earlier one finds the groups that it opened. */
export type GroupingVersion = 1 | 2;

/** Must be raised when the same report gets other components, so that a new group can be linked to the former one. */
export const groupingVersion = 2;
