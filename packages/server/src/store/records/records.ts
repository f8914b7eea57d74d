import type {
  ChannelName,
  Confirmation,
  ExplanationStatus,
  Notifications,
  Payment,
  Recipient,
  Role,
} from '@service/protocol';
import { aliasId } from './alias-id.ts';
import { Table } from './table.ts';

/*
 * Records that are stored whole: each change is one `put` or `remove` entry. Fields that the API returns have the
 * names of the API.
 */

/** Owns projects and members. Teams cannot see each other. */
export interface TeamRecord {
  id: number;
  name: string;
  created_at: string;
  /** Id of the plan that was paid for or that the operator set. Absent: the default plan. */
  plan?: string;
  /** When the operator last set a plan: milliseconds. */
  plan_set_at?: number;
  /** When the operator disabled the team. Absent: it is enabled. */
  disabled_at?: string;
}

/** An account. */
export interface UserRecord {
  id: number;
  team_id: number;
  /** Lower case and unique. */
  email: string;
  name: string | null;
  role: Role;
  /** A scrypt hash with its parameters. Null until an invited user accepts the invitation. */
  password: string | null;
  created_at: string;
  /** When the user confirmed the address by a mailed link. Absent: never. */
  email_verified_at?: string;
  /** True if the user can only read until the address is confirmed. */
  must_verify?: true;
}

/**
 * A session of a user. `id` is the SHA-256 of its secret. Its access tokens contain the id and are valid only while it
 * exists.
 */
export interface SessionRecord {
  id: string;
  user_id: number;
  /** SHA-256 of the valid refresh token. Null for a cookie session, which has no tokens. */
  refresh_hash: string | null;
  created_at: string;
  expires_at: string;
}

/** A one-time sign-in link. `id` is the SHA-256 of its token. */
export interface LinkRecord {
  id: string;
  user_id: number;
  expires_at: string;
}

/** A one-time invitation of a member. `id` is the SHA-256 of its token. */
export interface InvitationRecord {
  id: string;
  user_id: number;
  expires_at: string;
}

/** A personal access token: a Bearer token that acts as the user who created it. */
export interface PersonalTokenRecord {
  id: number;
  user_id: number;
  name: string;
  /** SHA-256 of the token. */
  token_hash: string;
  created_at: string;
  /** Null: it never expires. */
  expires_at: string | null;
}

export interface ProjectRecord {
  id: number;
  team_id: number;
  name: string;
  api_key: string;
  created_at: string;
}

export interface SourceMapRecord {
  id: number;
  project_id: number;
  file: string;
  release: string | null;
  url: string | null;
  debug_id: string | null;
  size: number;
  sources: number;
  created_at: string;
  last_used_at: string | null;
  /** The name of the blob with its index. Maps with the same content share it, across projects. */
  blob: string;
  /** SHA-256 of the uploaded map, in hexadecimal. */
  hash?: string;
  /** Size of the index. Absent: the blob is the map itself, gzipped, as servers without indexes stored it. */
  index_bytes?: number;
  /** Id of the last group at the upload. Groups up to it may have been opened without this map. Absent: unknown. */
  groups_before?: number;
}

/**
 * A group alias: a group, and another fingerprint of its reports, which they have since a source map was uploaded, the
 * name of a function was read, or the rules of grouping were changed. Reports of both fingerprints belong to the group.
 * `id` is the key of the project and the other fingerprint. A row whose `from` has the prefix `unmergedPrefix` only
 * records that a user has unmerged the group.
 */
interface AliasRecord {
  id: string;
  project_id: number;
  group_id: number;
  /** The fingerprint with which the group was opened. Responses contain it. */
  born: string;
  /**
   * The fingerprint that its reports had before, sometimes with a prefix of `alias-id.ts`. Only lookups use it. Absent:
   * the same as `born`.
   */
  from?: string;
}

/** A group that is merged into another one. `id` is the id of the merged group, which keeps its own row. */
export interface MergeRecord {
  id: number;
  project_id: number;
  /** The group that shows its reports. It may be merged itself. */
  target_id: number;
  merged_at: string;
}

/**
 * Files that have another name in this release than in the previous one. `id` is the key of the project and the
 * release.
 */
export interface RenameRecord {
  id: string;
  project_id: number;
  /** The path in this release and the oldest known path of the file, both normalized by `normalizePath`. */
  files: [path: string, oldest: string][];
}

/** Files of the app in a project's Python stacks. `id` is the key of the project and the end of their paths. */
interface CodeFilesRecord {
  id: string;
  project_id: number;
  /** Each path, with hashes of the releases in which it was seen, oldest first. Empty: reports without a release. */
  paths: { path: string; releases: string[] }[];
}

/** Where errors of a group occurred. */
export interface CodeLocation {
  group_id: number;
  /** The fingerprint with which the group was opened. Responses contain it. */
  born: string;
  /** A path in the format of `modulePath`. */
  file: string;
  function: string;
  /** The calling function. Empty: none. */
  caller: string;
  /** A hash of the source line. Empty: unknown. */
  code: string;
}

/** The locations of Python errors that differ only in their file. `id` is the key of the project and what is equal. */
interface CodeLocationsRecord {
  id: string;
  project_id: number;
  locations: CodeLocation[];
}

/**
 * Groups of a project whose culprit may be improved by a late source map, or by a name of a function that was read
 * late. `id` is the id of the project.
 */
export interface StaleCulpritsRecord {
  id: number;
  /** Only groups up to this id. */
  groups_before: number;
  /** Only groups last seen in one of these releases. Null: any release. */
  releases: string[] | null;
  /** Milliseconds. */
  due_at: number;
  /** Number of processes that began this work and neither finished it nor stopped cleanly. Absent: 0. */
  begun?: number;
}

/** The explanation of a group. `id` is the id of the group. */
export interface SummaryRecord {
  id: number;
  project_id: number;
  status: ExplanationStatus;
  requested_at: string;
  /** The team and the month, as `monthOf` numbers it, that get the unit of quota back if the explanation fails. */
  team_id: number;
  month: number;
  /** Attempts since the request, and failed attempts. */
  begun: number;
  failed: number;
  /** When the last attempt began: milliseconds. Absent: not begun, or begun by an older server. */
  begun_at?: number;
  /** The last explanation that was completed. */
  summary: string | null;
  model: string | null;
  generated_at: string | null;
  /** The last request to the provider: gzip, base64. */
  sent: string | null;
  /** Why the last attempt failed. */
  error: string | null;
}

/** The notification settings of a project, in the table `notifications`. `id` is the id of the project. */
export interface NotificationSettingsRecord extends Notifications {
  id: number;
}

/** The messages that a project sent within the last hour. `id` is the id of the project. */
export interface MessageHourRecord {
  id: number;
  /** When the first message that still counts was sent, in milliseconds, and the number of messages since. */
  began_at: number;
  sent: number;
  /**
   * The same messages in parts, oldest first, each with the time of its last message. Absent if an older server wrote
   * it.
   */
  recent?: [at: number, count: number][];
  /** Number of notifications that were omitted since the last one that was sent. */
  left_out: number;
}

/** A notification, or a test message, that is not delivered yet. The table is `outbox`. */
export interface QueuedNotificationRecord {
  id: number;
  project_id: number;
  way: ChannelName;
  kind: 'new' | 'reopened' | 'test';
  group_id: number | null;
  /** Number of messages that were omitted before it. */
  left_out: number;
  /** Recipients of a mail that have not received it yet. Absent: all of them. */
  to?: string[];
  /** Milliseconds. */
  at: number;
  /** Failed deliveries, and the time of the next attempt. */
  failed: number;
  due_at: number;
}

/**
 * An address that was asked whether it wants the notifications of a team. `id` is the id of the team and the address in
 * lower case.
 */
export interface RecipientRecord {
  id: string;
  team_id: number;
  email: string;
  status: Recipient['status'];
  /** When the last mail with a link was queued. */
  asked_at: string;
}

/** A mail to one address that is not delivered yet, other than a notification. */
export interface MailRecord {
  id: number;
  team_id: number;
  /** `account` and `recipient` ask for a confirmation. `payment` informs an owner about a refund or a dispute. */
  kind: Confirmation['kind'] | 'payment';
  to: string;
  /** The payment of a mail of this kind. */
  payment_id?: number;
  /** Milliseconds. */
  at: number;
  /** Failed deliveries, and the time of the next attempt. */
  failed: number;
  due_at: number;
}

/** The number of mails of a day that count towards a limit. `id` names the limit and what it limits. */
interface MailDayRecord {
  id: string;
  /** Days since 1970. */
  day: number;
  count: number;
}

/** A payment of a team for a plan, pending or completed. */
export interface PaymentRecord {
  /** The API calls it `payment_id`. */
  id: number;
  team_id: number;
  /** Id of the plan. */
  plan: string;
  /** The price of the plan when the checkout began. */
  price: number;
  currency: string;
  /** Name of the payment provider. */
  provider: string;
  /** The provider's id of the checkout. Null: it has not opened one (yet). */
  checkout_id: string | null;
  status: Payment['status'];
  created_at: string;
  /** By the clock of the payment provider. */
  paid_at: string | null;
  /** The provider's id of the money transfer, which later refunds and disputes name. Absent: unknown. */
  transfer_id?: string;
  refund?: Payment['refund'];
  dispute?: Payment['dispute'];
}

/** A processed event of a payment provider. It makes repeated deliveries of the event idempotent. */
interface PaymentEventRecord {
  /** Name of the provider and its id of the event, separated by a space. */
  id: string;
  payment_id: number;
  at: string;
}

/** Id of the setting that identifies the history of the data. Restoring a backup changes its value. */
export const historySetting = 'history';

/** Id of the setting that holds the key of access tokens and of the links in mails. */
export const signingKeySetting = 'signing_key';

/** Id of a setting that makes the next start end all sessions. A restore adds it. */
export const endSessionsSetting = 'end_sessions';

/** An internal value of the server, such as the `signing_key` of access tokens. */
export interface SettingRecord {
  id: string;
  value: string;
}

/** The tables and the record type of each. */
export interface Records {
  teams: TeamRecord;
  users: UserRecord;
  sessions: SessionRecord;
  links: LinkRecord;
  invitations: InvitationRecord;
  personal_tokens: PersonalTokenRecord;
  projects: ProjectRecord;
  source_maps: SourceMapRecord;
  /** The group aliases. This is their name on disk. */
  adoptions: AliasRecord;
  merges: MergeRecord;
  renames: RenameRecord;
  code_files: CodeFilesRecord;
  code_locations: CodeLocationsRecord;
  stale_culprits: StaleCulpritsRecord;
  summaries: SummaryRecord;
  notifications: NotificationSettingsRecord;
  message_hours: MessageHourRecord;
  outbox: QueuedNotificationRecord;
  recipients: RecipientRecord;
  mails: MailRecord;
  mail_days: MailDayRecord;
  payments: PaymentRecord;
  payment_events: PaymentEventRecord;
  settings: SettingRecord;
}

export type TableName = keyof Records;
/** The kinds of things with sequential ids. */
export type CounterName = TableName | 'groups' | 'reports';
export type Tables = { readonly [Name in TableName]: Table<Records[Name]> };

export function createTables(): Tables {
  return {
    teams: new Table(),
    users: new Table({ uniqueKey: (user) => user.email }),
    sessions: new Table(),
    links: new Table(),
    invitations: new Table(),
    personal_tokens: new Table({ uniqueKey: (token) => token.token_hash }),
    projects: new Table({ uniqueKey: (project) => project.api_key, owner: (project) => project.team_id }),
    source_maps: new Table({
      owner: (map) => map.project_id,
      lookups: { hash: (map) => map.hash, blob: (map) => map.blob },
    }),
    adoptions: new Table({ uniqueKey: ({ project_id, from, born }) => aliasId(project_id, from ?? born) }),
    merges: new Table({
      lookups: { target: ({ target_id }) => String(target_id), project: ({ project_id }) => String(project_id) },
    }),
    renames: new Table({ owner: (rename) => rename.project_id }),
    code_files: new Table({ owner: (file) => file.project_id }),
    code_locations: new Table({ owner: (locations) => locations.project_id }),
    stale_culprits: new Table(),
    summaries: new Table(),
    notifications: new Table(),
    message_hours: new Table(),
    outbox: new Table(),
    recipients: new Table({ owner: (recipient) => recipient.team_id }),
    mails: new Table(),
    mail_days: new Table(),
    payments: new Table(),
    payment_events: new Table(),
    settings: new Table(),
  };
}
