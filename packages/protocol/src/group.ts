import * as z from 'zod';
import { ExplanationStatus } from './explanation.ts';
import { limits } from './limits.ts';
import { PageQuery, QueryId } from './page.ts';
import { Level, ReportDetails } from './report.ts';
import { Id, Timestamp } from './primitives.ts';
import { tagNames } from './tag.ts';

export const GroupStatus = z.enum(['active', 'resolved']);
export type GroupStatus = z.infer<typeof GroupStatus>;

/** All reports of one problem, matched by fingerprint. */
export const ErrorGroup = z.object({
  error_group_id: Id,
  project_id: Id,
  fingerprint: z.string(),
  status: GroupStatus,
  type: z.string().nullable(),
  message: z.string(),
  /** Function and file in which the error occurred: `checkout (src/cart.ts)`. */
  culprit: z.string().nullable(),
  level: Level,
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
  /** Reports per day (UTC) over 30 days, oldest first. The last value is today. */
  daily: z.array(z.int()),
  ai_summary: ExplanationStatus.nullable(),
  grouping: Grouping,
});
export type GroupDetails = z.infer<typeof GroupDetails>;

/** The query of GET /errors. */
export const GroupQuery = PageQuery.extend({
  project_id: QueryId.optional(),
  environment: z.string().optional(),
  release: z.string().optional(),
  status: GroupStatus.optional(),
  /** Each word must occur in type, message, culprit, release or url. */
  search: z.string().max(limits.searchChars).optional(),
  sort: z.enum(['last_seen', 'first_seen', 'count', 'users']).default('last_seen'),
  order: z.enum(['desc', 'asc']).default('desc'),
});
export type GroupQuery = z.infer<typeof GroupQuery>;

/** The values in the reports of a project by which its groups can be filtered, newest first. */
export const Facets = z.object({
  environments: z.array(z.string()),
  releases: z.array(z.string()),
});
export type Facets = z.infer<typeof Facets>;

/** The body of PATCH /errors/{group_id}/status. */
export const GroupStatusInput = z.strictObject({ status: GroupStatus });
export type GroupStatusInput = z.infer<typeof GroupStatusInput>;
