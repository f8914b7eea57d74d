import * as z from 'zod';
import { Breadcrumb } from './breadcrumb.ts';
import { Id, Timestamp } from './primitives.ts';

export const Level = z.enum(['error', 'warning', 'info']);
export type Level = z.infer<typeof Level>;

/**
 * What a client posts to /errors. Only wrong types are refused: whatever is too long is cut (`limits`),
 * malformed entries of breadcrumbs and metadata are dropped, and so are the extras that can't be read,
 * for losing the error is worse than losing its tail. Unknown fields are ignored. `null` is as absent.
 */
export const ErrorReport = z.object({
  project_api_key: z.string(),
  /** Not blank, unless there is a stack trace. */
  message: z.string().nullish(),
  /** Lines separated by newlines, in any engine's notation. */
  stacktrace: z.string().nullish(),
  environment: z.string().nullish(),
  release: z.string().nullish(),
  url: z.string().nullish(),
  user_agent: z.string().nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
  breadcrumbs: z.array(z.unknown()).nullish(),
  /** Error class. Extras begin here: unreadable ones are dropped and named in `truncated`. */
  type: z.string().nullish().catch(null),
  timestamp: z.iso.datetime({ offset: true }).nullish().catch(null),
  /** Made by the client: a repeat gets the first answer again and is not counted. */
  event_id: z.guid().nullish().catch(null),
  /** Debug id of each script of the stack, by its URL. */
  debug_ids: z.record(z.string(), z.string()).nullish().catch(null),
  user: z.object({ id: z.string() }).nullish().catch(null),
  sdk: z.object({ name: z.string(), version: z.string() }).nullish().catch(null),
  level: Level.nullish().catch(null),
});
export type ErrorReport = z.input<typeof ErrorReport>;

/** The answer to an accepted report, sent once it is durable. */
export const Accepted = z.object({
  success: z.literal(true),
  error_group_id: Id,
  /** 32 lower-case hexadecimal digits. */
  fingerprint: z.string(),
  /** True for exactly one report of a group. */
  is_new_group: z.boolean(),
});
export type Accepted = z.infer<typeof Accepted>;

/** One line of the source around a frame. */
export const ContextLine = z.object({ line: z.int(), text: z.string() });
export type ContextLine = z.infer<typeof ContextLine>;

/** Where a frame stands, as the browser told it. Lines and columns begin at 1. */
export const RawFrame = z.object({
  function: z.string().nullable(),
  file: z.string().nullable(),
  line: z.int().nullable(),
  column: z.int().nullable(),
});
export type RawFrame = z.infer<typeof RawFrame>;

/** One call of a stack, in the original source if a source map told it, else as the browser did. */
export const Frame = RawFrame.extend({
  /** Code of the app itself: no dependency, and of the page's origin or one that the URL of a source map names. */
  in_app: z.boolean(),
  resolved: z.boolean(),
  context: z.array(ContextLine),
  raw: RawFrame,
});
export type Frame = z.infer<typeof Frame>;

/** What was cut from a report: original lengths and counts, or `"dropped"`. */
export const Truncated = z.record(z.string(), z.union([z.int(), z.literal('dropped')]));
export type Truncated = z.infer<typeof Truncated>;

/** A report as it is kept: what was sent within the limits. */
export const KeptReport = z.object({
  message: z.string(),
  stacktrace: z.string().nullable(),
  environment: z.string().nullable(),
  release: z.string().nullable(),
  url: z.string().nullable(),
  user_agent: z.string().nullable(),
  metadata: z.record(z.string(), z.unknown()),
  breadcrumbs: z.array(Breadcrumb),
  type: z.string().nullable(),
  timestamp: z.string().nullable(),
  event_id: z.string().nullable(),
  debug_ids: z.record(z.string(), z.string()),
  user: z.object({ id: z.string() }).nullable(),
  sdk: z.object({ name: z.string(), version: z.string() }).nullable(),
  level: Level,
  truncated: Truncated,
});
export type KeptReport = z.infer<typeof KeptReport>;

/** A kept report with its stack read and resolved: `latest_report` of a group. */
export const ReportDetails = KeptReport.extend({
  id: Id,
  error_group_id: Id,
  received_at: Timestamp,
  frames: z.array(Frame),
});
export type ReportDetails = z.infer<typeof ReportDetails>;

/** A line of a group's list of reports. */
export const ReportSummary = ReportDetails.pick({
  id: true,
  received_at: true,
  message: true,
  release: true,
  environment: true,
  url: true,
  user: true,
});
export type ReportSummary = z.infer<typeof ReportSummary>;
