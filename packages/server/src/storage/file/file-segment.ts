import { crc32 } from 'node:zlib';
import { DamagedStorageError } from '../../store/log/driver.ts';
import { entryVersion } from '../../store/records/entry.ts';
import {
  frameHeaderBytes,
  hasIntactBodies,
  readFrameEntries,
  readFrameHeader,
  type FrameHeader,
} from '../../store/log/frame.ts';
import type { Files, OpenFile } from './files.ts';
import { ForwardReader } from './forward-reader.ts';

const format = 'service-log';
/** Always as long, so that a header that is not whole can be told from one that was spoilt. */
const headerBytes = 96;
/** So much of what is in memory can stay there when more is read. */
const smallFrameBytes = 240 * 1024;

/** First line of a segment file: what it is, and the number of the first batch it holds. */
export function segmentHeader(first: number): Buffer {
  const line = JSON.stringify({ format, version: entryVersion, first, check: checkOf(entryVersion, first) });
  return Buffer.from(`${line.padEnd(headerBytes - 1)}\n`);
}

function checkOf(version: number, first: number): number {
  return crc32(`${format} ${version} ${first}`);
}

export interface SegmentHeader {
  first: number;
  /** Where the batches begin. */
  bytes: number;
}

/** The size of a segment's file, and its header: null if the file ends before the header does. */
export async function readSegmentHeader(
  files: Files,
  path: string,
): Promise<{ header: SegmentHeader | null; fileBytes: number }> {
  const file = await files.open(path, 'r');
  try {
    const buffer = Buffer.alloc(256);
    const start = buffer.subarray(0, await file.read(buffer, 0, buffer.length, 0));
    const end = start.indexOf('\n');
    const fileBytes = await file.size();
    if (end < 0 && start.length < headerBytes) return { header: null, fileBytes };
    const first = parseSegmentHeader(start.toString('utf8', 0, Math.max(0, end)), path);
    return { header: { first, bytes: end + 1 }, fileBytes };
  } finally {
    await file.close();
  }
}

export interface SegmentBatch {
  number: number;
  /** Where the entries of the batch begin in the file. */
  offset: number;
  /** Of all that is written of the batch. */
  frameBytes: number;
  /** Good until the next batch is asked for. */
  bytes: Buffer;
}

export interface ReadingOptions {
  buffers: [Buffer, Buffer];
  /** Whether the bodies of all batches are checked, or only of the last. */
  checksBodies: boolean;
}

/**
 * The batches of a segment up to the first one that is damaged. Only the last batch of a segment can be
 * torn by a kill, and nobody was told about it; damage with a good batch behind it is something else.
 */
export async function* readSegment(
  files: Files,
  path: string,
  header: SegmentHeader,
  { buffers, checksBodies }: ReadingOptions,
): AsyncGenerator<SegmentBatch> {
  const file = await files.open(path, 'r');
  const size = await file.size();
  const reader = new ForwardReader(file, size, buffers);
  try {
    let start = header.bytes;
    let expected = header.first;
    let frame = readFrameHeader(await reader.move(start, frameHeaderBytes));
    while (frame?.number === expected && start + frame.bytes <= size) {
      const next = start + frame.bytes;
      const following: FrameHeader | null = readFrameHeader(await peek(reader, file, start, next));
      // Where the next batch was begun, this one was durable.
      const isLast = following?.number !== expected + 1;
      const wanted = isLast || checksBodies ? frame.bytes : frameHeaderBytes + frame.entriesBytes;
      const bytes = reader.view(start, wanted) ?? (await reader.move(start, wanted));
      const entries = readFrameEntries(bytes, frame);
      if (!entries || (wanted === frame.bytes && !hasIntactBodies(bytes, frame))) break;
      yield { number: expected, offset: start + frameHeaderBytes, frameBytes: frame.bytes, bytes: entries };
      start = next;
      frame = following;
      expected++;
    }
    await reader.settle();
    if (start < size && (await holdsLaterBatch(file, start, size, expected))) {
      throw new DamagedStorageError(
        `Batch ${expected} in ${path} is damaged at byte ${start}, and there are good batches behind it. ` +
          'The disk has lost data that was stored; restore the folder from a backup.',
      );
    }
  } finally {
    await reader.settle();
    await file.close();
  }
}

/** Reads the first line of a segment: the number of its first batch. Throws if a reader of this version can't go on. */
export function parseSegmentHeader(line: string, path: string): number {
  let header: { format?: unknown; version?: unknown; first?: unknown; check?: unknown };
  try {
    header = JSON.parse(line) as typeof header;
  } catch (error) {
    throw new DamagedStorageError(`${path} is not a log of this server.`, { cause: error });
  }
  if (header.format !== format || typeof header.version !== 'number' || typeof header.first !== 'number') {
    throw new DamagedStorageError(`${path} is not a log of this server.`);
  }
  if (header.version > entryVersion) {
    throw new DamagedStorageError(
      `${path} was written by a newer server (format ${header.version}, this one reads ${entryVersion}). Upgrade this server.`,
    );
  }
  if (header.version < entryVersion) {
    throw new DamagedStorageError(
      `${path} was written before the first release (format ${header.version}, this server reads ${entryVersion}). Begin with another folder.`,
    );
  }
  if (header.check !== checkOf(header.version, header.first))
    throw new DamagedStorageError(`The first line of ${path} is damaged; restore it from a backup.`);
  return header.first;
}

/** The header of the frame at a position, with that of the one before still in memory, or not far. */
async function peek(reader: ForwardReader, file: OpenFile, before: number, position: number): Promise<Buffer> {
  // What is about to be looked at next is being read already: a read of its own would have to wait for that.
  if (!reader.view(position, frameHeaderBytes) && position - before < smallFrameBytes)
    await reader.move(before, position - before + frameHeaderBytes);
  const inMemory = reader.view(position, frameHeaderBytes);
  if (inMemory) return inMemory;
  const header = Buffer.allocUnsafe(frameHeaderBytes);
  return header.subarray(0, await file.read(header, 0, frameHeaderBytes, position));
}

/** Whether a whole batch of a later number stands anywhere behind `start`. */
async function holdsLaterBatch(file: OpenFile, start: number, size: number, number: number): Promise<boolean> {
  const bytes = Buffer.allocUnsafe(size - start);
  const rest = bytes.subarray(0, await file.read(bytes, 0, bytes.length, start));
  for (let at = 1; at + frameHeaderBytes <= rest.length; at++) {
    // The upper half of a number is zero for the next few thousand years, which rules out nearly every byte of text.
    if (rest.readUInt32LE(at + 12) !== 0) continue;
    const frame = readFrameHeader(rest.subarray(at, at + frameHeaderBytes));
    if (frame && frame.number > number && readFrameEntries(rest.subarray(at), frame)) return true;
  }
  return false;
}
