import type { ChannelName, ExplanationStatus, Notifications, Payment, Role } from '@service/protocol';
import { aliasId } from './alias-id.ts';
import { Table } from './table.ts';

/*
 * Plain state, kept whole: each change is one `put` or `remove` entry. What lists and answers show of a
 * record keeps the wire's spelling.
 */

/** Owns projects and members; nothing of a team is visible to another. */
export interface TeamRecord {
  id: number;
  name: string;
  created_at: string;
  /** Id of the plan that was paid for, or that the operator set; absent: the default one. */
  plan?: string;
  /** When the operator set one last: milliseconds. */
  plan_set_at?: number;
}

/** A user account. */
export interface UserRecord {
  id: number;
  team_id: number;
  /** Lower case; no two users share one. */
  email: string;
  name: string | null;
  role: Role;
  /** A scrypt hash with its parameters. Null for an invited user who has not accepted yet. */
  password: string | null;
  created_at: string;
}

/** A signed-in user. `id` is the SHA-256 of its secret. Access tokens name it and end with it. */
export interface SessionRecord {
  id: string;
  user_id: number;
  /** SHA-256 of the refresh token that is good now; null: the session of a cookie, which has no tokens. */
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

/** What lets an invited member in, once. `id` is the SHA-256 of its token. */
export interface InvitationRecord {
  id: string;
  user_id: number;
  expires_at: string;
}

/** A personal access token. */
export interface PersonalTokenRecord {
  id: number;
  user_id: number;
  name: string;
  /** SHA-256 of the token. */
  token_hash: string;
  created_at: string;
  /** Null: never. */
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
  /** The blob of its index. Maps with the same content share it, also across projects. */
  blob: string;
  /** SHA-256 of the map as it was uploaded, in hexadecimal. */
  hash?: string;
  /** Bytes of the index. Absent: the blob is the map itself, gzipped, as it was stored before there were indexes. */
  index_bytes?: number;
  /** Id of the last group when it was uploaded: up to there reports may have opened groups without it. Absent: not known. */
  groups_before?: number;
}

/**
 * A group that was opened before a source map came, and the fingerprint that its reports have since: it answers to both.
 * `id` is that of its project and this fingerprint.
 */
interface AliasRecord {
  id: string;
  project_id: number;
  group_id: number;
  /** The one that the group was born with, which answers carry. */
  born: string;
  /** The one that its reports had before this map, of which nothing else is made. Absent: the one that it was born with. */
  from?: string;
}

/**
 * Files that a release has under another name than the one before it. `id` is that of the project and the release.
 */
export interface RenameRecord {
  id: string;
  project_id: number;
  /** The path in this release, and the oldest one that it is known by: as `normalizePath` has them. */
  files: [path: string, oldest: string][];
}

/** Groups of a project that may be shown with a place which a late source map can tell better. `id` is the project's. */
export interface StaleCulpritsRecord {
  id: number;
  /** Up to this id. */
  groups_before: number;
  /** Last seen in one of these; null: in any. */
  releases: string[] | null;
  /** Milliseconds. */
  due_at: number;
  /** How many processes have begun this work and neither finished it nor stopped in good order. Absent: none. */
  begun?: number;
}

/** The explanation of a group. `id` is the group's. */
export interface SummaryRecord {
  id: number;
  project_id: number;
  status: ExplanationStatus;
  requested_at: string;
  /** Who asked and when, for the unit that a failed one gives back: the month as `monthOf` numbers it. */
  team_id: number;
  month: number;
  /** How often it was begun since it was asked for, and how often that failed. */
  begun: number;
  failed: number;
  /** When it was begun last: milliseconds. Absent: not yet, or by an older server. */
  begun_at?: number;
  /** Of the last one that was ready. */
  summary: string | null;
  model: string | null;
  generated_at: string | null;
  /** What went to the provider when it was asked last: gzip, base64. */
  sent: string | null;
  /** Why the last one failed. */
  error: string | null;
}

/** The notification settings of a project. `id` is the project's. */
export interface NotificationRecord extends Notifications {
  id: number;
}

/** How many messages a project has sent in an hour. `id` is the project's. */
export interface MessageHourRecord {
  id: number;
  /** When the first one that still counts went out: milliseconds; and how many of them there were. */
  began_at: number;
  sent: number;
  /** The same in parts, oldest first: when the last one of each went out. Absent in what older servers have written. */
  recent?: [at: number, count: number][];
  /** Notifications that were dropped since the last one that was sent. */
  left_out: number;
}

/** A message that is still to be delivered. */
export interface MessageRecord {
  id: number;
  project_id: number;
  way: ChannelName;
  kind: 'new' | 'reopened' | 'test';
  group_id: number | null;
  /** How many were left out before it. */
  left_out: number;
  /** Whom of the recipients of a mail it is still to be sent to; absent: all. */
  to?: string[];
  /** Milliseconds. */
  at: number;
  /** How often it could not be delivered, and when it is tried again. */
  failed: number;
  due_at: number;
}

/** What a team is to pay, or has paid, for a plan. */
export interface PaymentRecord {
  /** Shown as `payment_id`. */
  id: number;
  team_id: number;
  /** Id of the plan. */
  plan: string;
  /** What the plan cost when the checkout began. */
  price: number;
  currency: string;
  /** Name of the payment provider. */
  provider: string;
  /** What the provider calls the checkout; null: it has not opened one (yet). */
  checkout_id: string | null;
  status: Payment['status'];
  created_at: string;
  /** By the clock of the provider. */
  paid_at: string | null;
}

/** An event of a payment provider that has changed something: the same one changes nothing again. */
interface PaymentEventRecord {
  /** Name of the provider and its id of the event, with a blank between them. */
  id: string;
  payment_id: number;
  at: string;
}

/** Another value with each backup that is put in the place of what was there. */
export const historySetting = 'history';

/** A value of the server's own: `signing_key` of access tokens, `history`. */
export interface SettingRecord {
  id: string;
  value: string;
}

/** The tables and what a row of each is. */
export interface Records {
  teams: TeamRecord;
  users: UserRecord;
  sessions: SessionRecord;
  links: LinkRecord;
  invitations: InvitationRecord;
  personal_tokens: PersonalTokenRecord;
  projects: ProjectRecord;
  source_maps: SourceMapRecord;
  adoptions: AliasRecord;
  renames: RenameRecord;
  stale_culprits: StaleCulpritsRecord;
  summaries: SummaryRecord;
  notifications: NotificationRecord;
  message_hours: MessageHourRecord;
  outbox: MessageRecord;
  payments: PaymentRecord;
  payment_events: PaymentEventRecord;
  settings: SettingRecord;
}

export type TableName = keyof Records;
/** Whatever has ids that are counted up. */
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
    projects: new Table({ uniqueKey: (project) => project.api_key }),
    source_maps: new Table({ owner: (map) => map.project_id }),
    adoptions: new Table({ uniqueKey: ({ project_id, from, born }) => aliasId(project_id, from ?? born) }),
    renames: new Table({ owner: (rename) => rename.project_id }),
    stale_culprits: new Table(),
    summaries: new Table(),
    notifications: new Table(),
    message_hours: new Table(),
    outbox: new Table(),
    payments: new Table(),
    payment_events: new Table(),
    settings: new Table(),
  };
}
