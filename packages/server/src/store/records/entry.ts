import type { Facets, GroupStatus } from '@service/protocol';
import type { ReportValues } from './report-columns.ts';
import type { CounterName, Records, TableName } from './records.ts';
import type { Used } from './usage.ts';

/** 128 bits (a fingerprint or a UUID) as four words of 32 bits. */
export type HexWords = readonly [number, number, number, number];

/** Version of the entries and of how they are written. Another one is refused. */
export const entryVersion = 2;

/** One change of state. Whatever is remembered is a fold over these. */
export type Entry =
  | PutEntry
  | RemoveEntry
  | ReportEntry
  | OpeningEntry
  | GroupStatusEntry
  | GroupCulpritEntry
  | GroupRemoveEntry
  | GroupsEntry
  | KeptEntry
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
  values: Readonly<ReportValues>;
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

/** A map that came later tells where the reports of a group happened. */
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
 * The entries below, with `put`, state what is so instead of what has happened: a log that begins with
 * them needs nothing of what came before. See `stateEntries`.
 */

/** Groups as they are, without their kept reports; those that are known already stay as they are. */
interface GroupsEntry {
  kind: 'groups';
  /** As `GroupTable` packs them. */
  packed: Uint8Array;
}

/** A kept report stands with this entry from now on. */
export interface KeptEntry {
  kind: 'kept';
  id: number;
  group_id: number;
  at: number;
  /** As in `ReportEntry`. */
  body_bytes: number;
}

/** First answers, each older than any that is known; those that are known stay as they are. */
interface AnswersEntry {
  kind: 'answers';
  /** As `FirstAnswers` packs them. */
  packed: Uint8Array;
}

/**
 * So many reports of a team were counted in a month, so many refused since the first of them, and so many AI
 * explanations taken; absent: none.
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

/** The last id of each kind, and how many groups and answers are to follow: a start makes room for them at once. */
interface CountersEntry {
  kind: 'counters';
  last_ids: Partial<Record<CounterName, number>>;
  /** Ids up to these may have been given by a part of the log that was lost: the next ones are higher. */
  skipped_ids?: Partial<Record<CounterName, number>>;
  groups: number;
  answers: number;
}

/** Kept reports of these groups that were received before a moment are kept no longer. */
interface ExpireEntry {
  kind: 'expire';
  /** Milliseconds. */
  before: number;
  group_ids: number[];
}

/** A kept report is kept no longer: it could not be read any more. */
interface ForgetEntry {
  kind: 'forget';
  id: number;
  group_id: number;
}

/** From this batch on the log holds the whole state: what stands before it may be gone. */
interface GenerationEntry {
  kind: 'generation';
  first: number;
}

/** An entry, and the whole report that goes along with it. */
export interface Written {
  entry: Entry;
  /** JSON text of the report, or its bytes; only with an entry that keeps one. */
  body: string | Uint8Array | null;
}

/** Where the body of an entry stands in its batch. */
export interface BodySpan {
  offset: number;
  length: number;
}

export function usageEntry(
  team_id: number,
  month: number,
  { errors, refused, refusedSince, ai }: Readonly<Used>,
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
