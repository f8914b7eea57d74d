import { aliasId } from './alias-id.ts';
import { Table } from './table.ts';
import type {
  TeamRecord,
  UserRecord,
  SessionRecord,
  LinkRecord,
  InvitationRecord,
  PersonalTokenRecord,
} from './account-records.ts';
import type { ProjectRecord } from './project-records.ts';
import type { SourceMapRecord } from './source-map-records.ts';
import type {
  AliasRecord,
  MergeRecord,
  RenameRecord,
  CodeFilesRecord,
  CodeLocationsRecord,
  StaleCulpritsRecord,
} from './grouping-records.ts';
import type { SummaryRecord } from './explanation-records.ts';
import type {
  NotificationSettingsRecord,
  MessageHourRecord,
  QueuedNotificationRecord,
  RecipientRecord,
} from './notification-records.ts';
import type { MailRecord, MailDayRecord } from './mail-records.ts';
import type { PaymentRecord, PaymentEventRecord } from './billing-records.ts';
import type { SettingRecord } from './setting-records.ts';

/*
 * Records that are stored whole: each change is one `put` or `remove` entry. Fields that the API returns have the
 * names of the API. The files `*-records.ts` have the types of the records.
 */

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
