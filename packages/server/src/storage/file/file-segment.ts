import { crc32 } from 'node:zlib';
import { DamagedStorageError } from '../../store/log/storage-errors.ts';
import { newerFormat } from '../../store/log/newer-format.ts';
import { entryVersion, oldestEntryVersion } from '../../store/records/entry.ts';
import {
  frameHeaderBytes,
  hasIntactBodies,
  readFrameEntries,
  readFrameHeader,
  type FrameHeader,
} from '../../store/log/batch-frame.ts';
import type { Files, OpenFile } from './files.ts';
import { ForwardReader } from './forward-reader.ts';

const segmentFormat = 'service-log';
/** The fixed length of the header. It distinguishes an incomplete header from a damaged one. */
const segmentHeaderBytes = 96;
/** A frame up to this size can remain in memory while the header of the next frame is read. */
const smallFrameBytes = 240 * 1024;

/** Returns the first line of a segment file: format, version, number of the first batch, and checksum. */
export function segmentHeader(first: number): Buffer {
  const line = JSON.stringify({
    format: segmentFormat,
    version: entryVersion,
    first,
    check: checkOf(entryVersion, first),
  });
  return Buffer.from(`${line.padEnd(segmentHeaderBytes - 1)}\n`);
}

function checkOf(version: number, first: number): number {
  return crc32(`${segmentFormat} ${version} ${first}`);
}

export interface SegmentHeader {
  first: number;
  /** Length of the header. The batches begin there. */
  bytes: number;
}

/** Reads the size and the header of a segment file. The header is null if the file ends within it. */
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
    if (end < 0 && start.length < segmentHeaderBytes) return { header: null, fileBytes };
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
  /** Size of the complete frame. */
  frameBytes: number;
  /** Valid until the next batch is read. */
  bytes: Buffer;
}

export interface ReadOptions {
  buffers: [Buffer, Buffer];
  /** True if the bodies of all batches are checked, false if only those of the last batch are. */
  checksBodies: boolean;
}

/**
 * Yields the batches of a segment up to the first damaged one. A kill can tear only the last batch, which was not
 * acknowledged. Damage that is followed by a good batch has another cause: throws a `DamagedStorageError`.
 */
export async function* readSegment(
  files: Files,
  path: string,
  header: SegmentHeader,
  { buffers, checksBodies }: ReadOptions,
): AsyncGenerator<SegmentBatch> {
  const file = await files.open(path, 'r');
  const size = await file.size();
  const reader = new ForwardReader(file, size, buffers);
  try {
    let start = header.bytes;
    let expected = header.first;
    let frame = readFrameHeader(await reader.load(start, frameHeaderBytes));
    while (frame?.number === expected && start + frame.bytes <= size) {
      const next = start + frame.bytes;
      const following: FrameHeader | null = readFrameHeader(await peek(reader, file, start, next));
      // If the next batch was begun, this one was durable.
      const isLast = following?.number !== expected + 1;
      const wanted = isLast || checksBodies ? frame.bytes : frameHeaderBytes + frame.entriesBytes;
      const bytes = reader.view(start, wanted) ?? (await reader.load(start, wanted));
      const entries = readFrameEntries(bytes, frame);
      if (!entries || (wanted === frame.bytes && !hasIntactBodies(bytes, frame))) break;
      yield { number: expected, offset: start + frameHeaderBytes, frameBytes: frame.bytes, bytes: entries };
      start = next;
      frame = following;
      expected++;
    }
    await reader.settle();
    if (start < size && (await hasLaterBatch(file, start, size, expected))) {
      throw new DamagedStorageError(
        `Batch ${expected} in ${path} is damaged at byte ${start}, and good batches follow it. ` +
          'The disk has lost stored data. Restore the folder from a backup.',
      );
    }
  } finally {
    await reader.settle();
    await file.close();
  }
}

/**
 * Parses the first line of a segment and returns the number of its first batch. Throws if this version can't read the
 * segment.
 */
export function parseSegmentHeader(line: string, path: string): number {
  let header: { format?: unknown; version?: unknown; first?: unknown; check?: unknown };
  try {
    header = JSON.parse(line) as typeof header;
  } catch (error) {
    throw new DamagedStorageError(`${path} is not a log of this server.`, { cause: error });
  }
  if (header.format !== segmentFormat || typeof header.version !== 'number' || typeof header.first !== 'number') {
    throw new DamagedStorageError(`${path} is not a log of this server.`);
  }
  if (header.version > entryVersion) throw newerFormat(path, header.version);
  if (header.version < oldestEntryVersion) {
    throw new DamagedStorageError(
      `${path} was written before the first release (format ${header.version}, this server reads ${oldestEntryVersion} to ${entryVersion}). Use another folder.`,
    );
  }
  if (header.check !== checkOf(header.version, header.first))
    throw new DamagedStorageError(`The first line of ${path} is damaged. Restore the file from a backup.`);
  return header.first;
}

/** Reads the frame header at a position. Keeps the frame at `before` in memory if it is small. */
async function peek(reader: ForwardReader, file: OpenFile, before: number, position: number): Promise<Buffer> {
  // The reader already reads ahead. A separate read of the header would wait for that read.
  if (!reader.view(position, frameHeaderBytes) && position - before < smallFrameBytes)
    await reader.load(before, position - before + frameHeaderBytes);
  const inMemory = reader.view(position, frameHeaderBytes);
  if (inMemory) return inMemory;
  const header = Buffer.allocUnsafe(frameHeaderBytes);
  return header.subarray(0, await file.read(header, 0, frameHeaderBytes, position));
}

/** Resolves with whether a batch with intact entries and a number above `number` follows after `start`. */
async function hasLaterBatch(file: OpenFile, start: number, size: number, number: number): Promise<boolean> {
  const bytes = Buffer.allocUnsafe(size - start);
  const rest = bytes.subarray(0, await file.read(bytes, 0, bytes.length, start));
  for (let at = 1; at + frameHeaderBytes <= rest.length; at++) {
    // The upper half of a batch number is zero for thousands of years. This excludes almost every byte of text.
    if (rest.readUInt32LE(at + 12) !== 0) continue;
    const frame = readFrameHeader(rest.subarray(at, at + frameHeaderBytes));
    if (frame && frame.number > number && readFrameEntries(rest.subarray(at), frame)) return true;
  }
  return false;
}
