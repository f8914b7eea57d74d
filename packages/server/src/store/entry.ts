import type { GroupStatus, Grouping, Level } from '@service/protocol';
import { DamagedStorageError } from './driver.ts';
import type { Records, TableName } from './records.ts';

/** Version of the entries below. An older one is read, a newer one is refused. */
export const entryVersion = 1;

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
  /** Bytes of the whole report, which stands on the next line of the batch; 0 if it is not kept. */
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
  /** JSON text of the report; only with a `report` entry that keeps it. */
  body: string | null;
}

/** Where the body of an entry stands in its batch. */
export interface BodySpan {
  offset: number;
  length: number;
}

/** A batch as it is written: one JSON text a line, the body of a kept report on the line after its entry. */
export function encodeBatch(batch: readonly Written[]): { bytes: Buffer; bodies: (BodySpan | null)[] } {
  const lines: string[] = [];
  let capacity = 0;
  for (const { entry, body } of batch) {
    if (body !== null && entry.kind === 'report') entry.body_bytes = Buffer.byteLength(body);
    const line = JSON.stringify(entry);
    lines.push(line);
    // A UTF-16 unit takes up to three bytes of UTF-8.
    capacity += line.length * 3 + 1 + (entry.kind === 'report' && body !== null ? entry.body_bytes + 1 : 0);
  }
  const bytes = Buffer.allocUnsafe(capacity);
  let size = 0;
  const add = (line: string): void => {
    size += bytes.write(line, size);
    size = bytes.writeUInt8(0x0a, size);
  };
  const bodies = batch.map(({ body }, index): BodySpan | null => {
    add(lines[index] ?? '');
    if (body === null) return null;
    const offset = size;
    add(body);
    return { offset, length: size - 1 - offset };
  });
  return { bytes: bytes.subarray(0, size), bodies };
}

/** Reads what `encodeBatch` wrote, calling back once an entry. */
export function decodeBatch(bytes: Uint8Array, each: (entry: Entry, body: BodySpan | null) => void): void {
  const batch = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let offset = 0;
  while (offset < batch.length) {
    const end = batch.indexOf(0x0a, offset);
    if (end < 0) throw new DamagedStorageError('A batch of the log does not end with a whole line.');
    const entry = JSON.parse(batch.toString('utf8', offset, end)) as Entry;
    offset = end + 1;
    if (entry.kind === 'report' && entry.body_bytes > 0) {
      each(entry, { offset, length: entry.body_bytes });
      offset += entry.body_bytes + 1;
    } else {
      each(entry, null);
    }
  }
}
