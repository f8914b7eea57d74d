import { BytesReader } from '../codec/bytes-reader.ts';
import { BytesWriter } from '../codec/bytes-writer.ts';
import { DamagedStorageError } from './storage-errors.ts';
import type { BodySpan, Entry, MovedReportEntry, Written } from '../records/entry.ts';
import { assertKnownEntry } from './known-entries.ts';
import { bodyHeaderBytes } from './batch-frame.ts';
import { unknownPart } from './newer-format.ts';
import { readOpening, writeOpening } from '../model/opening-codec.ts';
import { readReport, writeReport } from './report-codec.ts';

/*
 * A batch is a sequence of entries: each has a byte for its kind, its length in four bytes, and its content. Most kinds
 * are JSON. Reports, by far the most frequent, and the entries of a compaction are packed: a start reads a hundred
 * thousand of them, and would spend most of its time parsing.
 */

const json = 0;
const report = 1;
const opening = 2;
const moved = 3;
const groups = 4;
const responses = 5;
const entryHeaderBytes = 5;
/** A batchWriter that has grown beyond this size is replaced. */
const largeBytes = 256 * 1024;

let batchWriter = new BytesWriter();
/** Texts of reports stay in the model, so they must not be slices that keep the whole batch in memory. */
const flatReader = new BytesReader(true);
const reader = new BytesReader();

export interface EncodedBatch {
  bytes: Buffer;
  bodies: Uint8Array[];
  /** The span of the body of each entry in the batch. */
  spans: (BodySpan | null)[];
}

/** Encodes a batch for `Log.append`. Bodies that are text become UTF-8. */
export function encodeBatch(batch: readonly Written[]): EncodedBatch {
  const bodies: Uint8Array[] = [];
  batchWriter.clear();
  for (const { entry, body } of batch) {
    if (body !== null && 'body_bytes' in entry) {
      const bytes = typeof body === 'string' ? Buffer.from(body) : body;
      entry.body_bytes = bytes.length;
      bodies.push(bytes);
    }
    writeEntry(entry);
  }
  const bytes = Buffer.from(batchWriter.bytes.subarray(0, batchWriter.size));
  if (batchWriter.bytes.length > largeBytes) batchWriter = new BytesWriter();
  const nextSpan = spansFrom(bytes.length);
  return { bytes, bodies, spans: batch.map(({ entry }) => nextSpan(entry)) };
}

/**
 * Decodes the entries that `encodeBatch` wrote and calls back with each. Packed data in them is valid until the next
 * batch is read.
 */
export function decodeBatch(bytes: Uint8Array, each: (entry: Entry, body: BodySpan | null) => void): void {
  const batch = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const nextSpan = spansFrom(batch.length);
  for (let start = 0; start < batch.length;) {
    if (start + entryHeaderBytes > batch.length) throw damaged();
    const end = start + entryHeaderBytes + batch.readUInt32LE(start + 1);
    if (end > batch.length) throw damaged();
    const entry = readEntry(batch[start] ?? 0, batch, start + entryHeaderBytes, end);
    each(entry, nextSpan(entry));
    start = end;
  }
}

/** Returns the bytes of a batch without some of its JSON entries. Packed entries are always kept. */
export function withoutEntries(bytes: Buffer, isDropped: (entry: Entry) => boolean): Buffer {
  const kept: Buffer[] = [];
  for (let start = 0; start < bytes.length;) {
    const end = start + entryHeaderBytes + bytes.readUInt32LE(start + 1);
    const kind = bytes[start] ?? 0;
    if (kind !== json || !isDropped(readEntry(kind, bytes, start + entryHeaderBytes, end)))
      kept.push(bytes.subarray(start, end));
    start = end;
  }
  return Buffer.concat(kept);
}

function writeEntry(entry: Entry): void {
  const start = batchWriter.size;
  batchWriter.fixed(kindOf(entry), 1);
  batchWriter.fixed(0, 4);
  batchWriter.forgetTexts();
  switch (entry.kind) {
    case 'report':
      writeReport(entry, batchWriter);
      break;
    case 'opening':
      writeOpening(entry, batchWriter);
      break;
    case 'moved':
      batchWriter.uint(entry.id);
      batchWriter.uint(entry.group_id);
      batchWriter.uint(entry.at);
      batchWriter.uint(entry.body_bytes);
      break;
    case 'groups':
    case 'answers':
      batchWriter.raw(entry.packed);
      break;
    default:
      batchWriter.raw(Buffer.from(JSON.stringify(entry)));
  }
  batchWriter.bytes.writeUInt32LE(batchWriter.size - start - entryHeaderBytes, start + 1);
}

function kindOf(entry: Entry): number {
  switch (entry.kind) {
    case 'report':
      return report;
    case 'opening':
      return opening;
    case 'moved':
      return moved;
    case 'groups':
      return groups;
    case 'answers':
      return responses;
    default:
      return json;
  }
}

function readEntry(kind: number, batch: Buffer, start: number, end: number): Entry {
  switch (kind) {
    case report:
      flatReader.open(batch, start, end);
      return readReport(flatReader);
    case opening:
      reader.open(batch, start, end);
      return readOpening(reader);
    case moved:
      reader.open(batch, start, end);
      return readMovedReport(reader);
    case groups:
      return { kind: 'groups', packed: batch.subarray(start, end) };
    case responses:
      return { kind: 'answers', packed: batch.subarray(start, end) };
    case json:
      return parse(batch.toString('utf8', start, end));
    default:
      throw unknownPart(`entries of the kind ${kind}`);
  }
}

function parse(text: string): Entry {
  let entry: Entry;
  try {
    entry = JSON.parse(text) as Entry;
  } catch (error) {
    throw damaged(error);
  }
  assertKnownEntry(entry);
  return entry;
}

function damaged(cause?: unknown): DamagedStorageError {
  return new DamagedStorageError('A batch of the log is not as this server writes them.', { cause });
}

/** Bodies follow the entries, each after its header. */
function spansFrom(entriesBytes: number): (entry: Entry) => BodySpan | null {
  let end = entriesBytes;
  return (entry) => {
    if (!('body_bytes' in entry) || entry.body_bytes === 0) return null;
    const offset = end + bodyHeaderBytes;
    end = offset + entry.body_bytes;
    return { offset, length: entry.body_bytes };
  };
}

function readMovedReport(from: BytesReader): MovedReportEntry {
  return { kind: 'moved', id: from.uint(), group_id: from.uint(), at: from.uint(), body_bytes: from.uint() };
}
