import { crc32 } from 'node:zlib';
import { decodeBatch } from '../log/batch.ts';
import { DamagedStorageError, UnusableStorageError } from '../log/storage-errors.ts';
import { entryVersion, oldestEntryVersion } from '../records/entry.ts';
import {
  frameBatch,
  frameHeaderBytes,
  readFrameBodies,
  readFrameEntries,
  readFrameHeader,
} from '../log/batch-frame.ts';
import { BufferedReader } from './buffered-reader.ts';

/*
 * A backup is a log in one file. The first line is the heading. Frames follow in the format of log segments, numbered
 * from 1. Most frames contain a batch of the log. A blob is split into pieces, each the body of a separate frame. The
 * last frame contains the totals. The marks that begin these two kinds of frames never begin a batch.
 */

const format = 'service-backup';
const backupVersion = 1;
const blobMark = 0x42;
const endMark = 0x45;
const maxLineBytes = 1_024;
/** Far above the size of any frame that is written. */
const maxFrameBytes = 1024 * 1024 * 1024;

/** The facts about a backup that are known before its content is read. */
export interface BackupHeading {
  made_at: string;
  /** Estimated size of the backup. */
  about_bytes: number;
}

export interface BackupTotals {
  projects: number;
  groups: number;
  source_maps: number;
}

/** One piece of a blob. The pieces of a blob are consecutive. */
export interface BlobPart {
  kind: 'blob';
  name: string;
  isLast: boolean;
  bytes: Uint8Array;
}

export type BackupPart =
  | { kind: 'heading'; heading: BackupHeading }
  | { kind: 'batch'; bytes: Buffer; bodies: readonly Uint8Array[] }
  | BlobPart
  | { kind: 'end'; totals: BackupTotals };

/** Thrown for a file that can't be restored, such as a damaged one. The message is one line for the operator. */
export class BackupFileError extends Error {
  override readonly name = 'BackupFileError';
}

/** Encodes the parts of a backup, in order. */
export class BackupWriter {
  #number = 0;

  write(part: BackupPart): Buffer {
    switch (part.kind) {
      case 'heading':
        return writeHeading(part.heading);
      case 'batch':
        return this.#frame(part.bytes, part.bodies);
      case 'blob': {
        const { name, isLast } = part;
        return this.#frame(encodeMarked(blobMark, { name, isLast }), [part.bytes]);
      }
      case 'end':
        return this.#frame(encodeMarked(endMark, part.totals), []);
    }
  }

  #frame(entries: Uint8Array, bodies: readonly Uint8Array[]): Buffer {
    return Buffer.concat(frameBatch(++this.#number, entries, bodies));
  }
}

/**
 * Yields the parts of a backup, each after its checksums are verified. Throws a BackupFileError at the first damaged
 * part, and at the end of the file if the backup is incomplete. `name`: the name of the file for the operator.
 */
export async function* readBackup(source: AsyncIterable<Buffer>, name: string): AsyncGenerator<BackupPart> {
  const bytes = new BufferedReader(source);
  yield { kind: 'heading', heading: parseBackupHeading(await bytes.line(maxLineBytes), name) };
  let unfinished: string | null = null;
  for (let number = 1; ; number++) {
    const start = bytes.position;
    const damaged = (): BackupFileError =>
      new BackupFileError(`${name} is damaged at byte ${start}. Nothing of it can be trusted; use another backup.`);
    const head = await bytes.peek(frameHeaderBytes);
    if (!head) throw cutShort(name, start);
    const header = readFrameHeader(head);
    if (header?.number !== number || header.bytes > maxFrameBytes) throw damaged();
    const frame = await bytes.take(header.bytes);
    if (!frame) throw cutShort(name, start);
    const entries = readFrameEntries(frame, header);
    const bodies = readFrameBodies(frame.subarray(frameHeaderBytes + header.entriesBytes));
    if (!entries || !bodies) throw damaged();
    const part = readPart(entries, bodies, name);
    if (!part) throw damaged();
    if (unfinished !== null && (part.kind !== 'blob' || part.name !== unfinished)) throw damaged();
    unfinished = part.kind === 'blob' && !part.isLast ? part.name : null;
    if (part.kind === 'end' && !(await bytes.isAtEnd())) throw damaged();
    yield part;
    if (part.kind === 'end') return;
  }
}

function readPart(entries: Buffer, bodies: readonly Buffer[], name: string): BackupPart | null {
  try {
    const [body] = bodies;
    if (entries[0] === blobMark && body)
      // The first servers wrote a blob as one piece, without `isLast`.
      return { kind: 'blob', isLast: true, ...(decodeMarked(entries) as Pick<BlobPart, 'name'>), bytes: body };
    if (entries[0] === endMark) return { kind: 'end', totals: decodeMarked(entries) as BackupTotals };
    decodeBatch(entries, () => undefined);
    return { kind: 'batch', bytes: entries, bodies };
  } catch (error) {
    if (error instanceof UnusableStorageError) throw new BackupFileError(`${name}: ${error.message}`, { cause: error });
    if (error instanceof DamagedStorageError || error instanceof SyntaxError) return null;
    throw error;
  }
}

function encodeMarked(mark: number, value: object): Buffer {
  return Buffer.concat([Buffer.of(mark), Buffer.from(JSON.stringify(value))]);
}

function decodeMarked(entries: Buffer): unknown {
  return JSON.parse(entries.toString('utf8', 1));
}

function writeHeading(heading: BackupHeading): Buffer {
  const line = { format, version: backupVersion, entries: entryVersion, ...heading };
  return Buffer.from(`${JSON.stringify({ ...line, check: crc32(JSON.stringify(line)) })}\n`);
}

function parseBackupHeading(line: string | null, name: string): BackupHeading {
  const { check, ...heading } = parseLine(line, name);
  if (heading.format !== format) throw notABackup(name);
  if (check !== crc32(JSON.stringify(heading))) throw new BackupFileError(`The first line of ${name} is damaged.`);
  const {
    version: written,
    entries,
    made_at,
    about_bytes,
  } = heading as unknown as BackupHeading & {
    version: number;
    entries: number;
  };
  if (written > backupVersion || entries > entryVersion)
    throw new BackupFileError(
      `${name} was written by a newer server (format ${entries}, this one reads up to ${entryVersion}). Upgrade this one first.`,
    );
  if (entries < oldestEntryVersion) throw new BackupFileError(`${name} was made before the first release.`);
  return { made_at, about_bytes };
}

function parseLine(line: string | null, name: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line ?? '');
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // Not JSON, so not a backup: rejected below.
  }
  throw notABackup(name);
}

function notABackup(name: string): BackupFileError {
  return new BackupFileError(`${name} is not a backup of this server.`);
}

function cutShort(name: string, at: number): BackupFileError {
  return new BackupFileError(`${name} is cut short at byte ${at}: a part of it is missing. Use another backup.`);
}
