import * as z from 'zod';
import { Usage } from './billing.ts';
import { ExplanationStatus } from './explanation.ts';
import { ErrorGroup } from './group.ts';
import { QueryId } from './page.ts';
import { Id, Timestamp } from './primitives.ts';
import { Project } from './project.ts';

/** The query of GET /stream. */
export const StreamQuery = z.strictObject({
  project_id: QueryId.optional(),
  /** As the header `Last-Event-ID`, for who can send none; the header goes before it. */
  last_event_id: z.string().optional(),
});
export type StreamQuery = z.infer<typeof StreamQuery>;

/** What a group looks like after something has happened to it. */
const GroupChanged = z.object({
  type: z.enum(['group.created', 'group.updated', 'group.reopened', 'group.resolved', 'group.activated']),
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

const SummaryUpdated = z.object({
  type: z.literal('summary.updated'),
  project_id: Id,
  at: Timestamp,
  error_group_id: Id,
  status: ExplanationStatus,
});

/** Of the whole team, to every stream of it. */
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

/** What came before is not known here any more; or, if there is a reason, this is the last event. */
const Reset = z.object({
  type: z.literal('reset'),
  project_id: z.null(),
  at: Timestamp,
  reason: z.literal('signed_out').optional(),
});

/** The data of one event of the live stream. Events tell the state of the moment in which they are sent. */
export const StreamEvent = z.discriminatedUnion('type', [
  GroupChanged,
  GroupDeleted,
  SummaryUpdated,
  UsageUpdated,
  ProjectChanged,
  Reset,
]);
export type StreamEvent = z.infer<typeof StreamEvent>;
