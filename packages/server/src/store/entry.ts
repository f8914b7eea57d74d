import type { GroupStatus, Grouping, Level } from '@service/protocol';
import type { Records, TableName } from './records.ts';

/** Version of the entries and of how they are written. Another one is refused. */
export const entryVersion = 2;

/** One change of state. Whatever is remembered is a fold over these. */
export type Entry = PutEntry | RemoveEntry | ReportEntry | GroupStatusEntry | GroupRemoveEntry;

export type PutEntry = { [Name in TableName]: { kind: 'put'; table: Name; record: Records[Name] } }[TableName];
export type RemoveEntry = { [Name in TableName]: { kind: 'remove'; table: Name; id: Records[Name]['id'] } }[TableName];

/** A report was counted. */
export interface ReportEntry {
  kind: 'report';
  id: number;
  project_id: number;
  group_id: number;
  /** Milliseconds: when the server received it. */
  at: number;
  event_id: string | null;
  type: string | null;
  /** As lists show it: the first 300 characters. */
  message: string;
  culprit: string | null;
  level: Level;
  environment: string | null;
  release: string | null;
  url: string | null;
  browser: string | null;
  os: string | null;
  user_id: string | null;
  /** The group this report opened. */
  opens: { fingerprint: string; grouping: Grouping } | null;
  /** The group was resolved until this report. */
  reopens: boolean;
  /** Bytes of the whole report, which goes along as a body; 0 if it is not kept. */
  body_bytes: number;
}

export interface GroupStatusEntry {
  kind: 'group.status';
  id: number;
  status: GroupStatus;
  at: number;
}

export interface GroupRemoveEntry {
  kind: 'group.remove';
  id: number;
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
