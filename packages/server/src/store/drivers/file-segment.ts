import { DamagedStorageError } from '../driver.ts';
import { entryVersion } from '../entry.ts';
import { frameHeaderBytes, frameLength, openFrame } from '../frame.ts';
import type { Files, OpenFile } from './files.ts';

const chunkBytes = 4 * 1024 * 1024;
const format = 'service-log';

/** First line of a segment file: what it is, and the number of the first batch it holds. */
export function segmentHeader(first: number): Buffer {
  return Buffer.from(`${JSON.stringify({ format, version: entryVersion, first })}\n`);
}

export interface SegmentHeader {
  first: number;
  /** Where the batches begin. */
  bytes: number;
}

/** The header of a segment with the size of its file, or null if that ended before the header was whole. */
export async function readSegmentHeader(
  files: Files,
  path: string,
): Promise<(SegmentHeader & { fileBytes: number }) | null> {
  const file = await files.open(path, 'r');
  try {
    const buffer = Buffer.alloc(256);
    const start = buffer.subarray(0, await file.read(buffer, 0, buffer.length, 0));
    const end = start.indexOf('\n');
    if (end < 0) return null;
    return {
      first: parseSegmentHeader(start.toString('utf8', 0, end), path),
      bytes: end + 1,
      fileBytes: await file.size(),
    };
  } finally {
    await file.close();
  }
}

export interface SegmentBatch {
  number: number;
  /** Where the bytes of the batch begin in the file. */
  offset: number;
  bytes: Buffer;
}

/**
 * The batches of a segment up to the first one that is damaged. Only the last batch of a segment can be
 * torn by a kill, and nobody was told about it; damage with a good batch behind it is something else.
 */
export async function* readSegment(files: Files, path: string, header: SegmentHeader): AsyncGenerator<SegmentBatch> {
  const file = await files.open(path, 'r');
  try {
    let start = header.bytes;
    let expected = header.first;
    let pending = Buffer.alloc(0);
    let atEnd = false;
    while (!atEnd) {
      const chunk = await readChunk(file, start + pending.length, pending);
      atEnd = chunk.length === 0;
      pending = atEnd ? pending : Buffer.concat([pending, chunk]);
      let offset = 0;
      for (;;) {
        const length = frameLength(pending, offset);
        if (length === null || offset + length > pending.length) break;
        const batch = openFrame(pending.subarray(offset, offset + length));
        if (batch?.number !== expected) break;
        yield { number: expected, offset: start + offset + frameHeaderBytes, bytes: batch.bytes };
        expected++;
        offset += length;
      }
      start += offset;
      pending = pending.subarray(offset);
    }
    if (holdsLaterBatch(pending, expected)) {
      throw new DamagedStorageError(
        `Batch ${expected} in ${path} is damaged at byte ${start}, and there are good batches behind it. ` +
          'The disk has lost data that was stored; restore the folder from a backup.',
      );
    }
  } finally {
    await file.close();
  }
}

/** Reads the first line of a segment: the number of its first batch. Throws if a reader of this version can't go on. */
export function parseSegmentHeader(line: string, path: string): number {
  let header: { format?: unknown; version?: unknown; first?: unknown };
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
      `${path} was written by a newer server (format ${header.version}, this one reads up to ${entryVersion}). Upgrade this server.`,
    );
  }
  return header.first;
}

/** Reads on, at least as much as the frame that begins in `pending` still lacks. */
async function readChunk(file: OpenFile, position: number, pending: Buffer): Promise<Buffer> {
  const missing = (frameLength(pending, 0) ?? 0) - pending.length;
  const length = Math.min(Math.max(chunkBytes, missing), Math.max(0, (await file.size()) - position));
  const chunk = Buffer.allocUnsafe(length);
  return chunk.subarray(0, await file.read(chunk, 0, length, position));
}

/** Whether a whole batch of a later number stands anywhere in these bytes. */
function holdsLaterBatch(bytes: Buffer, number: number): boolean {
  for (let start = 1; start + frameHeaderBytes <= bytes.length; start++) {
    // The upper half of a number is zero for the next few thousand years, which rules out nearly every byte of text.
    if (bytes.readUInt32LE(start + 12) !== 0) continue;
    const end = start + (frameLength(bytes, start) ?? Infinity);
    if (end > bytes.length || bytes.readUInt32LE(start + 8) <= number) continue;
    if (openFrame(bytes.subarray(start, end))) return true;
  }
  return false;
}
