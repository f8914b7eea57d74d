import type { GroupStatus } from '@service/protocol';
import type { ColumnFacets, ColumnValues } from './columns-and-fields.ts';
import type { CounterName, Records, TableName } from './tables.ts';
import type { TimeShift } from './time-shift.ts';
import type { MonthlyUsage } from './usage.ts';

/** 128 bits (a fingerprint or a UUID) as four words of 32 bits. */
export type HexWords = readonly [number, number, number, number];

/**
 * The format of what is stored: entries, records, and their encoding. Every change raises it, also an added field,
 * because an older server would drop what it doesn't know. See decision 0045.
 */
export const entryVersion = 6;

/** The oldest format that this server reads. */
export const oldestEntryVersion = 2;

/** One change of state. Applying all entries of the log in order gives the model. */
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
  | ResponsesEntry
  | UsageEntry
  | FacetsEntry
  | CountersEntry
  | ExpireEntry
  | ForgetEntry
  | GenerationEntry
  | ClockEntry;

export type PutEntry = { [Name in TableName]: { kind: 'put'; table: Name; record: Records[Name] } }[TableName];
type RemoveEntry = { [Name in TableName]: { kind: 'remove'; table: Name; id: Records[Name]['id'] } }[TableName];

/** A report of an existing group. */
export interface ReportEntry {
  kind: 'report';
  id: number;
  project_id: number;
  group_id: number;
  /** When the server received it, in milliseconds since 1970. */
  at: number;
  /** True if the report reopens its group, which was resolved. */
  reopens: boolean;
  values: ColumnValues;
  /** Size of the report itself, which is stored as a body after the entries. 0 if it is not stored. */
  body_bytes: number;
}

/**
 * A report that opened a group, with the packed state of the group after this report. The transaction packs the state,
 * so that a start, which reads many of these entries, can add the group without unpacking it.
 */
export interface OpeningEntry {
  kind: 'opening';
  id: number;
  project_id: number;
  group_id: number;
  at: number;
  /** The words of the event id. Null if the report has no event id, or one that the response index can't store. */
  event: HexWords | null;
  /** In the order of `facetColumns`. */
  facetValues: readonly (string | null)[];
  hasUser: boolean;
  /** The words of the fingerprint. */
  fingerprint: HexWords;
  /** Contains the packed state from `start` to `end`. In an entry from the log, valid until the next batch is read. */
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
 * The entries from here to `CountersEntry`, and `put`, describe state instead of changes. A log that begins with them
 * needs no earlier batches. Compaction writes them: see `stateEntries`.
 */

/** The state of groups, without their stored reports. Groups that exist already are not changed. */
interface GroupsEntry {
  kind: 'groups';
  /** The format of `GroupTable.packInto`. */
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

/** Older responses by `event_id`. Known responses are not changed. The name on disk is `answers`. */
interface ResponsesEntry {
  kind: 'answers';
  /** The format of `ResponseIndex.pack`. */
  packed: Uint8Array;
}

/**
 * The usage of a team in a month: accepted reports, reports that were dropped because of the quota and the time of the
 * first of them, and AI explanations. An absent number is 0, and an absent time is null.
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

/** The facets of a project, with the values ordered oldest first. Logs of older servers may lack a facet. */
export interface FacetsEntry extends Partial<ColumnFacets> {
  kind: 'facets';
  project_id: number;
}

/** The last id of each kind, and the numbers of groups and responses that follow, so that a start reserves room. */
interface CountersEntry {
  kind: 'counters';
  last_ids: Partial<Record<CounterName, number>>;
  /** A lost part of the log may have assigned ids up to these, so the next ids are higher. */
  skipped_ids?: Partial<Record<CounterName, number>>;
  groups: number;
  answers: number;
}

/** Removes stored reports of these groups: those that were received before a time. */
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

/** The log contains the whole state from batch `first` on, so earlier batches may be dropped. */
interface GenerationEntry {
  kind: 'generation';
  first: number;
}

/** Corrects the times that were stored while the clock of the machine was wrong: see `TimeShift`. */
interface ClockEntry extends TimeShift {
  kind: 'clock';
}

/** An entry with the body of its report. */
export interface Written {
  entry: Entry;
  /** The report as JSON text or bytes. Null if the entry stores no report. */
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
