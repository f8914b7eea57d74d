import type { Level } from '@service/protocol';
import { DamagedStorageError } from './driver.ts';
import type { BodySpan, Entry, ReportEntry, Written } from './entry.ts';
import { bodyHeaderBytes } from './frame.ts';

/*
 * The entries of a batch are one JSON array with an entry a line. A report, by far the most frequent, is an array
 * itself: its names would be half of what is written, and most of the time it takes. 0 stands for null in it.
 * So is a kept report that is written again, a shorter one.
 */

type Text = string | 0;
type ReportTuple = [
  id: number,
  projectId: number,
  groupId: number,
  at: number,
  bodyBytes: number,
  eventId: Text,
  type: Text,
  message: string,
  culprit: Text,
  level: Level,
  environment: Text,
  release: Text,
  url: Text,
  browser: Text,
  os: Text,
  userId: Text,
  reopens?: 0 | 1,
  opens?: ReportEntry['opens'],
];

type KeptTuple = [id: number, groupId: number, at: number, bodyBytes: number];

export interface EncodedBatch {
  bytes: Buffer;
  bodies: Uint8Array[];
  /** Of each entry, where its body stands in the batch. */
  spans: (BodySpan | null)[];
}

/** A batch as it is appended. The bodies are those that were given, or their UTF-8. */
export function encodeBatch(batch: readonly Written[]): EncodedBatch {
  const bodies: Uint8Array[] = [];
  let text = '[';
  for (const { entry, body } of batch) {
    if (text.length > 1) text += ',\n';
    if (body !== null && 'body_bytes' in entry) {
      const bytes = typeof body === 'string' ? Buffer.from(body) : body;
      entry.body_bytes = bytes.length;
      bodies.push(bytes);
    }
    text += encodeEntry(entry);
  }
  const bytes = Buffer.from(`${text}]\n`);
  const nextSpan = spansFrom(bytes.length);
  return { bytes, bodies, spans: batch.map(({ entry }) => nextSpan(entry)) };
}

/** Reads the entries that `encodeBatch` wrote, calling back with each. */
export function decodeBatch(bytes: Uint8Array, each: (entry: Entry, body: BodySpan | null) => void): void {
  const nextSpan = spansFrom(bytes.length);
  for (const written of parseBatch(bytes)) {
    const entry = Array.isArray(written) ? decodeTuple(written) : written;
    each(entry, nextSpan(entry));
  }
}

function parseBatch(bytes: Uint8Array): (ReportTuple | KeptTuple | Entry)[] {
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()) as (
      | ReportTuple
      | KeptTuple
      | Entry
    )[];
  } catch (error) {
    throw new DamagedStorageError('A batch of the log is not as this server writes them.', { cause: error });
  }
}

/** Bodies follow one another behind the entries, each behind its header. */
function spansFrom(entriesBytes: number): (entry: Entry) => BodySpan | null {
  let end = entriesBytes;
  return (entry) => {
    if (!('body_bytes' in entry) || entry.body_bytes === 0) return null;
    const offset = end + bodyHeaderBytes;
    end = offset + entry.body_bytes;
    return { offset, length: entry.body_bytes };
  };
}

function encodeEntry(entry: Entry): string {
  if (entry.kind === 'report') return encodeReport(entry);
  if (entry.kind === 'kept') return `[${entry.id},${entry.group_id},${entry.at},${entry.body_bytes}]`;
  return JSON.stringify(entry);
}

function decodeTuple(tuple: ReportTuple | KeptTuple): Entry {
  if (tuple.length !== 4) return decodeReport(tuple);
  return { kind: 'kept', id: tuple[0], group_id: tuple[1], at: tuple[2], body_bytes: tuple[3] };
}

function encodeReport(entry: ReportEntry): string {
  const tuple: ReportTuple = [
    entry.id,
    entry.project_id,
    entry.group_id,
    entry.at,
    entry.body_bytes,
    entry.event_id ?? 0,
    entry.type ?? 0,
    entry.message,
    entry.culprit ?? 0,
    entry.level,
    entry.environment ?? 0,
    entry.release ?? 0,
    entry.url ?? 0,
    entry.browser ?? 0,
    entry.os ?? 0,
    entry.user_id ?? 0,
  ];
  if (entry.reopens || entry.opens) tuple.push(entry.reopens ? 1 : 0);
  if (entry.opens) tuple.push(entry.opens);
  return JSON.stringify(tuple);
}

function decodeReport(tuple: ReportTuple): ReportEntry {
  return {
    kind: 'report',
    id: tuple[0],
    project_id: tuple[1],
    group_id: tuple[2],
    at: tuple[3],
    event_id: orNull(tuple[5]),
    type: orNull(tuple[6]),
    message: tuple[7],
    culprit: orNull(tuple[8]),
    level: tuple[9],
    environment: orNull(tuple[10]),
    release: orNull(tuple[11]),
    url: orNull(tuple[12]),
    browser: orNull(tuple[13]),
    os: orNull(tuple[14]),
    user_id: orNull(tuple[15]),
    opens: tuple[17] ?? null,
    reopens: tuple[16] === 1,
    body_bytes: tuple[4],
  };
}

function orNull(text: Text): string | null {
  return text === 0 ? null : text;
}
