import * as z from 'zod';
import { Usage } from './billing.ts';
import { ExplanationStatus } from './explanation.ts';
import { ErrorGroup } from './group.ts';
import { Id, QueryId, Timestamp } from './primitives.ts';
import { Project } from './project.ts';

/** The query of GET /stream. */
export const StreamQuery = z.strictObject({
  project_id: QueryId.optional(),
  /** The `Last-Event-ID` of clients that cannot set headers. The header takes precedence. */
  last_event_id: z.string().optional(),
});
export type StreamQuery = z.infer<typeof StreamQuery>;

/** A change of a group, with the group after the change. */
const GroupChanged = z.object({
  type: z.enum([
    'group.created',
    'group.updated',
    'group.reopened',
    'group.resolved',
    'group.activated',
    'group.unmerged',
  ]),
  project_id: Id,
  at: Timestamp,
  group: ErrorGroup,
});

const GroupDeleted = z.object({
  type: z.literal('group.deleted'),
  project_id: Id,
  at: Timestamp,
  error_group_id: Id,
});

/** A group was merged into another one. `into` is that group after the merge. */
const GroupMerged = z.object({
  type: z.literal('group.merged'),
  project_id: Id,
  at: Timestamp,
  error_group_id: Id,
  into: ErrorGroup,
});

const SummaryUpdated = z.object({
  type: z.literal('summary.updated'),
  project_id: Id,
  at: Timestamp,
  error_group_id: Id,
  status: ExplanationStatus,
});

/** Sent to every stream of the team, including streams of one project. */
const UsageUpdated = z.object({
  type: z.literal('usage.updated'),
  project_id: z.null(),
  at: Timestamp,
  usage: Usage,
});

const ProjectChanged = z.object({
  type: z.enum(['project.created', 'project.updated', 'project.deleted']),
  project_id: Id,
  at: Timestamp,
  project: Project.omit({ api_key: true }),
});

/**
 * Without a `reason`, missed events are no longer available. With a `reason`, the session or token has ended, and this
 * is the last event of the stream.
 */
const Reset = z.object({
  type: z.literal('reset'),
  project_id: z.null(),
  at: Timestamp,
  reason: z.literal('signed_out').optional(),
});

/** The data of one event of the live stream. An event carries the state at the time of sending. */
export const StreamEvent = z.discriminatedUnion('type', [
  GroupChanged,
  GroupDeleted,
  GroupMerged,
  SummaryUpdated,
  UsageUpdated,
  ProjectChanged,
  Reset,
]);
export type StreamEvent = z.infer<typeof StreamEvent>;
