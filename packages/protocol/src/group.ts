import * as z from 'zod';
import { ExplanationStatus } from './explanation.ts';
import { limits, truncationMark } from './limits.ts';
import { PageQuery } from './pagination.ts';
import { groupFilters, LatestValues, ReportDetails, type GroupFilterName } from './report.ts';
import { Id, QueryId, Timestamp } from './primitives.ts';
import { tagNames } from './tag.ts';

export const GroupStatus = z.enum(['active', 'resolved']);
export type GroupStatus = z.infer<typeof GroupStatus>;

/** All reports of one problem, matched by fingerprint. */
export const ErrorGroup = z.object({
  error_group_id: Id,
  project_id: Id,
  fingerprint: z.string(),
  status: GroupStatus,
  ...LatestValues.shape,
  count: z.int(),
  /** Number of distinct `user.id` values. */
  users: z.int(),
  first_seen: Timestamp,
  last_seen: Timestamp,
  resolved_at: Timestamp.nullable(),
  reopened_at: Timestamp.nullable(),
  reopen_count: z.int(),
  environments: z.array(z.string()),
  first_release: z.string().nullable(),
  last_release: z.string().nullable(),
  /** Reports per hour (UTC) over 24 hours, oldest first. The last value is the current hour. */
  trend: z.array(z.int()),
});
export type ErrorGroup = z.infer<typeof ErrorGroup>;

export const TagCount = z.object({ value: z.string(), count: z.int() });
export type TagCount = z.infer<typeof TagCount>;

/** The most frequent values of a tag that an app has set, and how many reports had another value. */
export const CustomTag = z.object({ name: z.string(), values: z.array(TagCount), other: z.int() });
export type CustomTag = z.infer<typeof CustomTag>;

/** The grouping strategy of a group, and the inputs of its fingerprint in order. */
export const Grouping = z.object({
  version: z.int(),
  /** The name of the grouping strategy that was selected. */
  rule: z.string(),
  components: z.array(z.string()),
});
export type Grouping = z.infer<typeof Grouping>;

export const GroupDetails = ErrorGroup.extend({
  latest_report: ReportDetails.nullable(),
  /** The ten most frequent values of each tag. */
  tags: z.record(z.enum(tagNames), z.array(TagCount)),
  /** Number of reports, by tag, whose value `tags` does not list. */
  other_tags: z.record(z.enum(tagNames), z.int()),
  /** The tags that reports were sent with, by name. */
  custom_tags: z.array(CustomTag),
  /** Reports per day (UTC) over 30 days, oldest first. The last value is today. */
  daily: z.array(z.int()),
  ai_summary: ExplanationStatus.nullable(),
  grouping: Grouping,
  /** Number of groups that are merged into this one. */
  merged: z.int(),
});
export type GroupDetails = z.infer<typeof GroupDetails>;

/** A group that is merged into another one, with its own reports only. */
export const MergedGroup = ErrorGroup.extend({ merged_at: Timestamp });
export type MergedGroup = z.infer<typeof MergedGroup>;

/** The body of POST /errors/{group_id}/merge and /unmerge: the groups to merge into this one, or to take out of it. */
export const MergeInput = z.strictObject({ group_ids: z.array(Id).min(1).max(limits.mergedGroups) });
export type MergeInput = z.infer<typeof MergeInput>;

/**
 * Why a group may be the same bug. `source_map`: with the current source maps, reports of both have the same
 * fingerprint. `fault`: the same engine error or the same message, in the same file or function. `location`: the same
 * function, and a similar message.
 */
export const SimilarityReason = z.enum(['source_map', 'fault', 'location']);
export type SimilarityReason = z.infer<typeof SimilarityReason>;

/** A group that may be the same bug as another one. */
export const SimilarGroup = ErrorGroup.extend({ reason: SimilarityReason });
export type SimilarGroup = z.infer<typeof SimilarGroup>;

/** The groups that may be the same bug, the most likely first. */
export const SimilarGroups = z.object({ items: z.array(SimilarGroup) });
export type SimilarGroups = z.infer<typeof SimilarGroups>;

/** A tag that an app has set, as `NAME:VALUE`. */
const TagFilter = z
  .string()
  .max(limits.tagNameChars + 1 + limits.tagValueChars + truncationMark.length)
  .regex(/^[^:]+:/, 'expected NAME:VALUE');

export const groupFilterNames = Object.keys(groupFilters) as readonly GroupFilterName[];

/** A group matches if any of its reports has exactly this value. */
const FilterValue = z.string().optional();
const filterParameters = Object.fromEntries(groupFilterNames.map((name) => [name, FilterValue])) as Record<
  GroupFilterName,
  typeof FilterValue
>;

/** The query of GET /errors. */
export const GroupQuery = PageQuery.extend({
  project_id: QueryId.optional(),
  ...filterParameters,
  status: GroupStatus.optional(),
  /** A group matches if it has all of these tags. The parameter is repeated. */
  tag: z.array(TagFilter).max(limits.tagFilters).optional(),
  /** Each word must occur in type, message, culprit, release or url. */
  search: z.string().max(limits.searchChars).optional(),
  sort: z.enum(['last_seen', 'first_seen', 'count', 'users']).default('last_seen'),
  order: z.enum(['desc', 'asc']).default('desc'),
});
export type GroupQuery = z.infer<typeof GroupQuery>;

/** A tag by which groups can be filtered. The values that most groups have come first. */
export const TagFacet = z.object({ name: z.string(), values: z.array(z.string()) });
export type TagFacet = z.infer<typeof TagFacet>;

/** The name of a facet that offers the values of a filter. */
export type FacetName = NonNullable<(typeof groupFilters)[GroupFilterName]>;
export const facetNames = Object.values<string | null>(groupFilters).filter((facet) => facet !== null) as FacetName[];

/** Newest first. */
const FacetValues = z.array(z.string());
const facetsOfFilters = Object.fromEntries(facetNames.map((facet) => [facet, FacetValues])) as Record<
  FacetName,
  typeof FacetValues
>;

/** The values in the reports of a project by which its groups can be filtered. */
export const Facets = z.object({
  ...facetsOfFilters,
  /** The tags that most groups have come first. */
  tags: z.array(TagFacet),
});
export type Facets = z.infer<typeof Facets>;

/** The body of PATCH /errors/{group_id}/status. */
export const GroupStatusInput = z.strictObject({ status: GroupStatus });
export type GroupStatusInput = z.infer<typeof GroupStatusInput>;
