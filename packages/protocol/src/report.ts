import * as z from 'zod';
import { Breadcrumb } from './breadcrumb.ts';
import { Id, Timestamp } from './primitives.ts';

export const Level = z.enum(['fatal', 'error', 'warning', 'info', 'debug']);
export type Level = z.infer<typeof Level>;

/** The affected user. `name` and `email` are absent if the client did not send them. */
export const User = z.object({ id: z.string(), name: z.string().optional(), email: z.string().optional() });
export type User = z.infer<typeof User>;

/** The user as listed: lists show no names and no addresses. */
const ListedUser = User.pick({ id: true });

/** The page's window and network when the error happened. Fields that the client did not send are absent. */
export const Device = z.object({
  viewport: z.string().optional(),
  language: z.string().optional(),
  connection: z.string().optional(),
});
export type Device = z.infer<typeof Device>;

/** One source line near a frame. */
export const ContextLine = z.object({ line: z.int(), text: z.string() });
export type ContextLine = z.infer<typeof ContextLine>;

/**
 * How an exception relates to the one before it in the list: as its explicit cause, as the exception that was being
 * handled when it occurred, or as a member of its group.
 */
export const ExceptionRelation = z.enum(['cause', 'context', 'member']);
export type ExceptionRelation = z.infer<typeof ExceptionRelation>;

/** A call of a sent exception. Every field may be absent. */
const SentFrame = z.object({
  /** The name of the function, qualified if the language has such names: `Cart.total`. */
  function: z.string().nullish(),
  file: z.string().nullish(),
  line: z.int().nullish(),
  column: z.int().nullish(),
  /** The module, as the program imports it: `shop.cart`. */
  module: z.string().nullish(),
  /**
   * True for code of the app, false for libraries. The server itself decides if the field is absent, if no frame of the
   * exception has `true`, or if the file is a URL.
   */
  in_app: z.boolean().nullish(),
  /** Source lines around the frame. */
  context: z.array(ContextLine).nullish(),
  /** Local variables as text. */
  variables: z.record(z.string(), z.string()).nullish(),
});

/** An exception of a report, in any language. */
const SentException = z.object({
  type: z.string().nullish(),
  message: z.string().nullish(),
  /** Null for the first one. */
  relation: ExceptionRelation.nullish(),
  /**
   * True if the client made the stack for something that has none, such as a thrown string. Such a stack does not group
   * the report.
   */
  synthetic: z.boolean().nullish(),
  /** Top frame first. */
  frames: z.array(SentFrame).nullish(),
});

/** A call of an exception as stored. */
export const ExceptionFrame = z.object({
  function: z.string().nullable(),
  file: z.string().nullable(),
  line: z.int().nullable(),
  column: z.int().nullable(),
  module: z.string().optional(),
  in_app: z.boolean().optional(),
  context: z.array(ContextLine).optional(),
  variables: z.record(z.string(), z.string()).optional(),
});
export type ExceptionFrame = z.infer<typeof ExceptionFrame>;

/** An exception as stored. */
export const StoredException = z.object({
  type: z.string().nullable(),
  message: z.string().nullable(),
  relation: ExceptionRelation.nullable(),
  /** Present if it is true. */
  synthetic: z.boolean().optional(),
  /** Top frame first. */
  frames: z.array(ExceptionFrame),
});
export type StoredException = z.infer<typeof StoredException>;

/**
 * The body of POST /errors. Losing an error is worse than losing part of it, so only wrong types are rejected. Values
 * over their limit (`limits`) are truncated. Malformed breadcrumbs are dropped, and so are invalid values of the fields
 * from `type` on. Unknown fields are ignored. `null` means absent.
 */
export const ErrorReport = z.object({
  project_api_key: z.string(),
  /** Required and not blank, unless there is a stack trace. */
  message: z.string().nullish(),
  /** A stack trace in the notation of any engine, with lines separated by newlines. */
  stacktrace: z.string().nullish(),
  environment: z.string().nullish(),
  release: z.string().nullish(),
  url: z.string().nullish(),
  user_agent: z.string().nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
  breadcrumbs: z.array(z.unknown()).nullish(),
  /** The class of the error. From here on, an invalid value is dropped and listed in `truncated`. */
  type: z.string().nullish().catch(null),
  timestamp: z.iso.datetime({ offset: true }).nullish().catch(null),
  /** The idempotency key of the client: a repeated report gets the first response again and is not counted. */
  event_id: z.guid().nullish().catch(null),
  /** The debug ids of the scripts in the stack, keyed by URL. */
  debug_ids: z.record(z.string(), z.string()).nullish().catch(null),
  user: z.object({ id: z.string(), name: z.string().nullish(), email: z.string().nullish() }).nullish().catch(null),
  sdk: z.object({ name: z.string(), version: z.string() }).nullish().catch(null),
  level: Level.nullish().catch(null),
  /** Replaces the fingerprint that the server computes: reports with equal texts form one group. */
  fingerprint: z.array(z.string()).readonly().nullish().catch(null),
  /** Texts by name. */
  tags: z.record(z.string(), z.string()).nullish().catch(null),
  device: z
    .object({ viewport: z.string().nullish(), language: z.string().nullish(), connection: z.string().nullish() })
    .nullish()
    .catch(null),
  /**
   * The exception that is reported, then its causes and the members of its group. If one has frames, they are used
   * instead of those in `stacktrace`.
   */
  exceptions: z.array(SentException).nullish().catch(null),
});
export type ErrorReport = z.input<typeof ErrorReport>;

/** The response to an accepted report. It is sent once the report is durable. */
export const Accepted = z.object({
  success: z.literal(true),
  error_group_id: Id,
  /** 32 lower-case hexadecimal digits. */
  fingerprint: z.string(),
  /** True for exactly one report of a group. */
  is_new_group: z.boolean(),
});
export type Accepted = z.infer<typeof Accepted>;

/** The location of a frame as reported by the browser. Lines and columns start at 1. */
export const RawFrame = z.object({
  function: z.string().nullable(),
  file: z.string().nullable(),
  line: z.int().nullable(),
  column: z.int().nullable(),
});
export type RawFrame = z.infer<typeof RawFrame>;

/** One call of a stack: its original location if a source map resolved it, else the location from the client. */
export const Frame = RawFrame.extend({
  /**
   * True for code of the app. A script is code of the app if it is no dependency, and from the origin of the page or of
   * a source map's URL. Frames of other files can be marked by the client.
   */
  in_app: z.boolean(),
  /** True if the location is one of the original source: a source map gave it, or the client sent its source lines. */
  resolved: z.boolean(),
  context: z.array(ContextLine),
  raw: RawFrame,
  /** Source lines from the client, if the script may be generated code. Only for a frame that is not resolved. */
  sent_context: z.array(ContextLine).optional(),
  /** The module, if the client sent it. */
  module: z.string().optional(),
  /** Local variables as text, if the client sent them. */
  variables: z.record(z.string(), z.string()).optional(),
});
export type Frame = z.infer<typeof Frame>;

/** A cause of an error, the error that was being handled when it occurred, or a member of a group of errors. */
export const Cause = z.object({
  type: z.string().nullable(),
  message: z.string().nullable(),
  /** Null if the stack does not show it. */
  relation: ExceptionRelation.nullable(),
  /** Top frame first. */
  frames: z.array(Frame),
});
export type Cause = z.infer<typeof Cause>;

/** The truncated fields of a report, each with its original length or count, or `"dropped"`. */
export const Truncated = z.record(z.string(), z.union([z.int(), z.literal('dropped')]));
export type Truncated = z.infer<typeof Truncated>;

/** A report as stored: the sent fields within their limits. */
export const StoredReport = z.object({
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
  user: User.nullable(),
  sdk: z.object({ name: z.string(), version: z.string() }).nullable(),
  level: Level,
  fingerprint: z.array(z.string()).readonly().nullable(),
  tags: z.record(z.string(), z.string()),
  device: Device.nullable(),
  exceptions: z.array(StoredException).nullable(),
  truncated: Truncated,
});
export type StoredReport = z.infer<typeof StoredReport>;

/** A stored report with its parsed and symbolicated stack: `latest_report` of a group. */
export const ReportDetails = StoredReport.extend({
  id: Id,
  error_group_id: Id,
  received_at: Timestamp,
  /** The frames of the error itself. */
  frames: z.array(Frame),
  /** Its causes and members, as listed in `exceptions`, or as read from `stacktrace`. */
  causes: z.array(Cause),
});
export type ReportDetails = z.infer<typeof ReportDetails>;

/** A stored report as listed in its group. */
export const ReportSummary = ReportDetails.pick({
  id: true,
  received_at: true,
  message: true,
  release: true,
  environment: true,
  url: true,
}).extend({ user: ListedUser.nullable() });
export type ReportSummary = z.infer<typeof ReportSummary>;

/** The values of the latest report that its group shows. */
export const LatestValues = z.object({
  type: z.string().nullable(),
  message: z.string(),
  /** Function and file in which the error occurred: `checkout (src/cart.ts)`. */
  culprit: z.string().nullable(),
  level: Level,
});

/**
 * The filters of groups by a value of their reports. A key is the query parameter; its value is the facet that offers
 * values to filter by, or null if no facet does. `GroupQuery` and `Facets` are derived from this table.
 */
export const groupFilters = {
  environment: 'environments',
  release: 'releases',
} as const satisfies Record<string, string | null>;
export type GroupFilterName = keyof typeof groupFilters;
