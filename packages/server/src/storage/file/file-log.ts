import { join } from 'node:path';
import { DamagedStorageError } from '../../store/log/storage-errors.ts';
import type { DroppedPart, Log, LoggedBatch } from '../../store/log/storage-driver.ts';
import { frameBatch, frameHeaderBytes } from '../../store/log/batch-frame.ts';
import { readSegment, readSegmentHeader, segmentHeader } from './file-segment.ts';
import type { Files, OpenFile } from './files.ts';
import { readBuffers } from './forward-reader.ts';

/** A segment that exceeds this size is closed, and the next batch begins a new segment. */
const defaultSegmentBytes = 64 * 1024 * 1024;
/** Up to this size of the log, the bodies are also checked at start. In larger logs the check would delay the start. */
const maxCheckedBytes = 64 * 1024 * 1024;
/** A position combines the id of a segment and an offset in its file in one safe integer. */
const offsets = 2 ** 32;
const temporarySegmentSuffix = '.tmp';

interface LogSegment {
  /** The number in the file name. */
  id: number;
  /** Number of its first batch. */
  first: number;
  headerBytes: number;
  sizeBytes: number;
}

/** The location of a complete frame: header, entries and bodies. */
interface Frame {
  number: number;
  position: number;
  bytes: number;
}

/**
 * The log as a folder of segment files, with one write and one fdatasync per batch. A new segment begins after each
 * start of the server, failed write, compaction and full segment. Its header contains the number of its first batch.
 * Batches of older segments from that number on are ignored: they are torn, their outcome is unknown, or they were
 * written again. A segment file gets its name only after its header is durable.
 */
export class FileLog implements Log {
  readonly #folder: string;
  readonly #files: Files;
  readonly #segmentBytes: number;
  /** The segments on disk, oldest first. */
  #segments: LogSegment[] = [];
  readonly #readers = new Map<number, Promise<OpenFile>>();
  #lastId = 0;
  #writer: { file: OpenFile; segment: LogSegment } | null = null;
  readonly dropped: DroppedPart[] = [];
  /** The last batch that was read at start, until it is certainly durable. */
  #tail: Frame | null = null;

  constructor(folder: string, files: Files, segmentBytes = defaultSegmentBytes) {
    this.#folder = folder;
    this.#files = files;
    this.#segmentBytes = segmentBytes;
  }

  get sizeBytes(): number {
    return this.#segments.reduce((sum, segment) => sum + segment.sizeBytes, 0);
  }

  async roomBytes(): Promise<number> {
    return (await this.#files.freeBytes?.(this.#folder)) ?? Infinity;
  }

  async *read(): AsyncGenerator<LoggedBatch> {
    // Batches that this process appended are durable. Only the first read can meet one that is not.
    const isStart = this.#segments.length === 0;
    this.#segments = await this.#listSegments();
    const options = { buffers: readBuffers(), checksBodies: this.sizeBytes <= maxCheckedBytes };
    for (const [index, segment] of this.#segments.entries()) {
      const end = this.#segments[index + 1]?.first ?? Infinity;
      const path = this.#path(segment.id);
      let next = segment.first;
      let readBytes = segment.headerBytes;
      const header = { first: segment.first, bytes: segment.headerBytes };
      for await (const { number, offset, frameBytes, bytes } of readSegment(this.#files, path, header, options)) {
        if (number >= end) break;
        const position = segment.id * offsets + offset;
        yield { number, position, bytes };
        next = number + 1;
        readBytes = offset - frameHeaderBytes + frameBytes;
        if (isStart && end === Infinity)
          this.#tail = { number, position: position - frameHeaderBytes, bytes: frameBytes };
      }
      if (end !== Infinity && next !== end)
        throw new DamagedStorageError(`${path} ends before batch ${end - 1}: a part of the log is missing.`);
      // A torn end of an older segment was reported by the start that began the next segment.
      if (isStart && end === Infinity && readBytes < segment.sizeBytes)
        this.dropped.push({ location: path, bytes: segment.sizeBytes - readBytes, isTorn: true });
    }
    if (this.#tail) await this.#saveTail(this.#tail);
    // The newest segment is empty, and hides a batch of an older one whose write has failed. If a power loss removed
    // its name, that batch would return.
    else if (isStart && this.#segments.length > 0) await this.#files.syncFolder(this.#folder);
  }

  async removeDropped(): Promise<void> {
    for (const { location, isTorn } of this.dropped) if (!isTorn) await this.#files.remove(location);
  }

  /**
   * Writes the last batch again. A killed process may have left it only in the page cache, and a failed sync may even
   * have discarded it there. After readers have seen it and other batches follow it, a power loss must not remove it.
   * A full disk remains readable: if this write fails, the first append retries it.
   */
  async #saveTail({ number }: Frame): Promise<void> {
    this.#writer = await this.#beginSegment(number).catch(() => null);
  }

  async append(number: number, bytes: Uint8Array, bodies?: readonly Uint8Array[]): Promise<number> {
    const writer = this.#writer ?? (await this.#beginSegment(number));
    const { file, segment } = writer;
    // No writer is kept until the batch is durable. After a failed sync, a later sync of the same file can report
    // success for data that was lost, so nothing is written to a file after a failure.
    this.#writer = null;
    try {
      const frame = frameBatch(number, bytes, bodies);
      await file.append(frame);
      await file.datasync();
      const position = segment.id * offsets + segment.sizeBytes + frameHeaderBytes;
      segment.sizeBytes += frame.reduce((sum, part) => sum + part.length, 0);
      if (segment.sizeBytes < this.#segmentBytes) this.#writer = writer;
      else await closeQuietly(file);
      return position;
    } catch (error) {
      segment.sizeBytes = await file.size().catch(() => segment.sizeBytes);
      await closeQuietly(file);
      throw error;
    }
  }

  async readAt(position: number, offset: number, length: number): Promise<Uint8Array> {
    const reader = await this.#reader(Math.floor(position / offsets));
    const bytes = Buffer.allocUnsafe(length);
    return bytes.subarray(0, await reader.read(bytes, 0, length, (position % offsets) + offset));
  }

  async seal(): Promise<void> {
    const writer = this.#writer;
    this.#writer = null;
    if (writer) await closeQuietly(writer.file);
  }

  async dropBefore(number: number): Promise<void> {
    for (;;) {
      const [oldest, next] = this.#segments;
      // A segment ends where the next one begins. The end of the last segment is unknown, so it is kept.
      if (!oldest || !next || next.first > number) return;
      await this.#files.remove(this.#path(oldest.id));
      // Sync after each removal: a power loss must not leave a gap.
      await this.#files.syncFolder(this.#folder);
      this.#segments.shift();
      const reader = this.#readers.get(oldest.id);
      this.#readers.delete(oldest.id);
      await closeQuietly(await reader?.catch(() => undefined));
    }
  }

  async close(): Promise<void> {
    const files = [this.#writer?.file, ...this.#readers.values()];
    this.#writer = null;
    this.#readers.clear();
    await Promise.allSettled(files.map(async (file) => (await file)?.close()));
  }

  #reader(id: number): Promise<OpenFile> {
    const known = this.#readers.get(id);
    if (known) return known;
    const reader = this.#files.open(this.#path(id), 'r');
    this.#readers.set(id, reader);
    // Let the next read retry: the process may have had too many open files.
    reader.catch(() => this.#readers.delete(id));
    return reader;
  }

  async #beginSegment(next: number): Promise<{ file: OpenFile; segment: LogSegment }> {
    const id = ++this.#lastId;
    const path = this.#path(id);
    const first = this.#tail?.number ?? next;
    const header = segmentHeader(first);
    const tail = this.#tail ? await this.readAt(this.#tail.position, 0, this.#tail.bytes) : Buffer.alloc(0);
    const file = await this.#files.open(path + temporarySegmentSuffix, 'w');
    try {
      await file.append([header, tail]);
      await file.datasync();
      await this.#files.rename(path + temporarySegmentSuffix, path);
      await this.#files.syncFolder(this.#folder);
    } catch (error) {
      await closeQuietly(file);
      // On a full disk, each failed write would otherwise leave a file behind.
      await Promise.allSettled([path + temporarySegmentSuffix, path].map((name) => this.#files.remove(name)));
      throw error;
    }
    this.#tail = null;
    const segment = { id, first, headerBytes: header.length, sizeBytes: header.length + tail.length };
    this.#segments.push(segment);
    return { file, segment };
  }

  async #listSegments(): Promise<LogSegment[]> {
    const names = (await this.#files.readdir(this.#folder)).toSorted();
    const segments: LogSegment[] = [];
    for (const name of names) {
      if (!/^\d{8}\.log$/.test(name)) continue;
      const id = Number.parseInt(name, 10);
      const { header, fileBytes } = await readSegmentHeader(this.#files, this.#path(id));
      this.#lastId = id;
      if (header) segments.push({ id, first: header.first, headerBytes: header.bytes, sizeBytes: fileBytes });
      // A segment gets its name after its header is durable, so this one has lost its content.
      else this.dropped.push({ location: this.#path(id), bytes: fileBytes, isTorn: false });
    }
    // Removed only after every header was read: nothing is changed in a folder that a newer server has written.
    for (const name of names)
      if (name.endsWith(temporarySegmentSuffix)) await this.#files.remove(join(this.#folder, name));
    return segments;
  }

  #path(id: number): string {
    return join(this.#folder, `${String(id).padStart(8, '0')}.log`);
  }
}

/** Closes a file and ignores errors: its content is durable, or the caller already reports a failure. */
async function closeQuietly(file: OpenFile | undefined): Promise<void> {
  await file?.close().catch(() => undefined);
}
