import { ChannelName } from '@service/protocol';
import { unknownPart } from './newer-format.ts';
import type { Entry } from '../records/entry.ts';
import { mapFacets } from '../records/columns-and-fields.ts';
import type { Records, TableName } from '../records/tables.ts';

type FieldsOf<Value> = Readonly<Record<keyof Value, true>>;
/** The kinds of entries that are stored as JSON. The others are packed. */
type JsonKind = Exclude<Entry['kind'], 'report' | 'opening' | 'moved' | 'groups' | 'answers'>;
type JsonEntry<Kind extends JsonKind> = Extract<Entry, { kind: Kind }>;

const entryFields: { [Kind in JsonKind]: FieldsOf<JsonEntry<Kind>> } = {
  put: { kind: true, table: true, record: true },
  remove: { kind: true, table: true, id: true },
  'group.status': { kind: true, id: true, status: true, at: true },
  'group.culprit': { kind: true, id: true, culprit: true },
  'group.remove': { kind: true, id: true },
  usage: { kind: true, team_id: true, month: true, errors: true, refused: true, refused_since: true, ai: true },
  facets: { kind: true, project_id: true, ...mapFacets(() => true as const) },
  counters: { kind: true, last_ids: true, skipped_ids: true, groups: true, answers: true },
  expire: { kind: true, before: true, group_ids: true },
  forget: { kind: true, id: true, group_id: true },
  generation: { kind: true, first: true },
  clock: { kind: true, from: true, by: true, until: true },
};

/** A project stores the settings of each channel under its name. */
const channelFields = Object.fromEntries(ChannelName.options.map((name) => [name, true])) as Record<ChannelName, true>;

const recordFields: { [Name in TableName]: FieldsOf<Records[Name]> } = {
  teams: { id: true, name: true, created_at: true, plan: true, plan_set_at: true, disabled_at: true },
  users: {
    id: true,
    team_id: true,
    email: true,
    name: true,
    role: true,
    password: true,
    email_verified_at: true,
    must_verify: true,
    created_at: true,
  },
  sessions: { id: true, user_id: true, refresh_hash: true, created_at: true, expires_at: true },
  links: { id: true, user_id: true, expires_at: true },
  invitations: { id: true, user_id: true, expires_at: true },
  personal_tokens: { id: true, user_id: true, name: true, token_hash: true, created_at: true, expires_at: true },
  projects: { id: true, team_id: true, name: true, api_key: true, created_at: true },
  source_maps: {
    id: true,
    project_id: true,
    file: true,
    release: true,
    url: true,
    debug_id: true,
    size: true,
    sources: true,
    created_at: true,
    last_used_at: true,
    blob: true,
    hash: true,
    index_bytes: true,
    groups_before: true,
  },
  adoptions: { id: true, project_id: true, group_id: true, born: true, from: true },
  merges: { id: true, project_id: true, target_id: true, merged_at: true },
  renames: { id: true, project_id: true, files: true },
  code_files: { id: true, project_id: true, paths: true },
  code_locations: { id: true, project_id: true, locations: true },
  stale_culprits: { id: true, groups_before: true, releases: true, due_at: true, begun: true },
  summaries: {
    id: true,
    project_id: true,
    status: true,
    requested_at: true,
    team_id: true,
    month: true,
    begun: true,
    failed: true,
    begun_at: true,
    summary: true,
    model: true,
    generated_at: true,
    sent: true,
    error: true,
  },
  notifications: { id: true, ...channelFields },
  message_hours: { id: true, began_at: true, sent: true, recent: true, left_out: true },
  outbox: {
    id: true,
    project_id: true,
    way: true,
    kind: true,
    group_id: true,
    left_out: true,
    to: true,
    at: true,
    failed: true,
    due_at: true,
  },
  payments: {
    id: true,
    team_id: true,
    plan: true,
    price: true,
    currency: true,
    provider: true,
    checkout_id: true,
    status: true,
    created_at: true,
    paid_at: true,
    transfer_id: true,
    refund: true,
    dispute: true,
  },
  recipients: { id: true, team_id: true, email: true, status: true, asked_at: true },
  mails: { id: true, team_id: true, kind: true, to: true, payment_id: true, at: true, failed: true, due_at: true },
  mail_days: { id: true, day: true, count: true },
  payment_events: { id: true, payment_id: true, at: true },
  settings: { id: true, value: true },
};

/** Fields that earlier servers have written and that mean nothing any more. */
const formerFields: { readonly [Name in TableName]?: readonly string[] } = { notifications: ['hour'] };

/**
 * Throws if an entry has a kind, a table or a field that this server does not know. If it were read without that part,
 * the next compaction would remove it for good. Removes former fields.
 */
export function assertKnownEntry(entry: object): void {
  const { kind, table, record } = entry as { kind: string; table?: TableName; record?: Record<string, unknown> };
  const fields = ownValue<Readonly<Record<string, true>>>(entryFields, kind);
  if (!fields) throw unknownPart(`entries of the kind ${quoteName(kind)}`);
  for (const field in entry)
    if (!Object.hasOwn(fields, field))
      throw unknownPart(`the field ${quoteName(field)} in entries of the kind ${kind}`);
  if (table === undefined) return;
  const columns = ownValue<Readonly<Record<string, true>>>(recordFields, table);
  if (!columns) throw unknownPart(`a table named ${quoteName(table)}`);
  for (const former of formerFields[table] ?? []) delete record?.[former];
  for (const column in record)
    if (!Object.hasOwn(columns, column)) throw unknownPart(`the field ${quoteName(column)} in the table ${table}`);
}

function ownValue<Value>(values: Readonly<Record<string, Value>>, key: unknown): Value | undefined {
  return typeof key === 'string' && Object.hasOwn(values, key) ? values[key] : undefined;
}

/** Quotes a name from the storage, truncated. */
function quoteName(value: unknown): string {
  return JSON.stringify(String(value).slice(0, maxNameChars));
}

const maxNameChars = 60;
