import type { Facets, GroupStatus } from '@service/protocol';
import type { ColumnValues } from './report-columns.ts';
import type { CounterName, Records, TableName } from './records.ts';
import type { MonthlyUsage } from './usage.ts';

/** 128 bits (a fingerprint or a UUID) as four words of 32 bits. */
export type HexWords = readonly [number, number, number, number];

/** Version of the entries and of how they are written. Another one is refused. */
export const entryVersion = 2;

/** One change of state. The model is the result of applying all of them. */
export type Entry =
  | PutEntry
  | RemoveEntry
  | ReportEntry
  | OpeningEntry
  | GroupStatusEntry
  | GroupCulpritEntry
  | GroupRemoveEntry
  | GroupsEntry
  | MovedReportEntry
  | AnswersEntry
  | UsageEntry
  | FacetsEntry
  | CountersEntry
  | ExpireEntry
  | ForgetEntry
  | GenerationEntry;

export type PutEntry = { [Name in TableName]: { kind: 'put'; table: Name; record: Records[Name] } }[TableName];
type RemoveEntry = { [Name in TableName]: { kind: 'remove'; table: Name; id: Records[Name]['id'] } }[TableName];

/** A report that was counted in a group that existed. */
export interface ReportEntry {
  kind: 'report';
  id: number;
  project_id: number;
  group_id: number;
  /** Milliseconds: when the server received it. */
  at: number;
  /** The group was resolved until this report. */
  reopens: boolean;
  values: ColumnValues;
  /** Bytes of the whole report, which is stored behind the entries as a body; 0 if it is not stored. */
  body_bytes: number;
}

/**
 * A report that opened a group, with the state of the group after it, packed. Packed once, when the report is decided:
 * a start reads many of these entries and adds each to the groups without unpacking it.
 */
export interface OpeningEntry {
  kind: 'opening';
  id: number;
  project_id: number;
  group_id: number;
  at: number;
  /** The words of the event id; null if the report has none, or none that the idempotency index can hold. */
  event: HexWords | null;
  /** In the order of `facetColumns`. */
  facetValues: readonly (string | null)[];
  hasUser: boolean;
  /** The words of the fingerprint. */
  fingerprint: HexWords;
  /** Holds the packed state from `start` to `end`. One that was read is valid until the next batch is read. */
  bytes: Buffer;
  start: number;
  end: number;
  /** As in `ReportEntry`. */
  body_bytes: number;
}

interface GroupStatusEntry {
  kind: 'group.status';
  id: number;
  status: GroupStatus;
  at: number;
}

/** Sets the culprit of a group, which a later source map has changed. */
interface GroupCulpritEntry {
  kind: 'group.culprit';
  id: number;
  culprit: string | null;
}

interface GroupRemoveEntry {
  kind: 'group.remove';
  id: number;
}

/*
 * The entries below, and `put`, describe state instead of changes: a log that begins with them needs no earlier batches.
 * See `stateEntries`.
 */

/** The state of groups, without their stored reports. Groups that exist already are not changed. */
interface GroupsEntry {
  kind: 'groups';
  /** As `GroupTable` packs them. */
  packed: Uint8Array;
}

/** The new location of a stored report: its body follows this entry. */
export interface MovedReportEntry {
  kind: 'moved';
  id: number;
  group_id: number;
  at: number;
  /** As in `ReportEntry`. */
  body_bytes: number;
}

/** Responses by `event_id`, all older than the known ones, which are not changed. */
interface AnswersEntry {
  kind: 'answers';
  /** As `IdempotencyIndex` packs them. */
  packed: Uint8Array;
}

/**
 * The usage of a team in a month: accepted reports, reports that were dropped because of the quota and the time of the
 * first of them, and AI explanations. An absent number is 0.
 */
export interface UsageEntry {
  kind: 'usage';
  team_id: number;
  month: number;
  errors: number;
  refused?: number;
  /** Milliseconds. */
  refused_since?: number;
  ai?: number;
}

/** The values that reports of a project have had, oldest first. Logs of older servers may lack a facet. */
export interface FacetsEntry extends Partial<Facets> {
  kind: 'facets';
  project_id: number;
}

/** The last id of each kind, and the number of groups and responses to follow: a start reserves room for them. */
interface CountersEntry {
  kind: 'counters';
  last_ids: Partial<Record<CounterName, number>>;
  /** A part of the log that was lost may have assigned ids up to these: the next ones are higher. */
  skipped_ids?: Partial<Record<CounterName, number>>;
  groups: number;
  answers: number;
}

/** Removes the stored reports of these groups that were received before a time. */
interface ExpireEntry {
  kind: 'expire';
  /** Milliseconds. */
  before: number;
  group_ids: number[];
}

/** Removes a stored report that could not be read. */
interface ForgetEntry {
  kind: 'forget';
  id: number;
  group_id: number;
}

/** From batch `first` on the log holds the whole state: earlier batches may be dropped. */
interface GenerationEntry {
  kind: 'generation';
  first: number;
}

/** An entry with the body of its report. */
export interface Written {
  entry: Entry;
  /** JSON text of the report, or its bytes; only with an entry that keeps one. */
  body: string | Uint8Array | null;
}

/** The location of a body in its batch. */
export interface BodySpan {
  offset: number;
  length: number;
}

export function usageEntry(
  team_id: number,
  month: number,
  { errors, refused, refusedSince, ai }: Readonly<MonthlyUsage>,
): UsageEntry {
  return {
    kind: 'usage',
    team_id,
    month,
    errors,
    ...(refusedSince !== null && { refused, refused_since: refusedSince }),
    ...(ai > 0 && { ai }),
  };
}
