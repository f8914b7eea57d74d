import { join } from 'node:path';
import { DamagedStorageError, type DroppedPart, type Log, type LoggedBatch } from '../../store/log/driver.ts';
import { frameBatch, frameHeaderBytes } from '../../store/log/frame.ts';
import { readSegment, readSegmentHeader, segmentHeader } from './file-segment.ts';
import type { Files, OpenFile } from './files.ts';
import { readBuffers } from './forward-reader.ts';

/** A segment is closed once it is larger; the next batch begins a new one. */
const defaultSegmentBytes = 64 * 1024 * 1024;
/** The bodies of a log are checked at start, too, where they are so few that nobody waits for it. */
const checkedBytes = 64 * 1024 * 1024;
/** A position is the segment's number and the byte in it, as one safe integer. */
const offsets = 2 ** 32;
const temporary = '.tmp';

interface Segment {
  /** Its file is named after it. */
  id: number;
  /** Number of the batch it begins with. */
  first: number;
  headerBytes: number;
  sizeBytes: number;
}

/** Where a batch stands with all that is written of it. */
interface Frame {
  number: number;
  position: number;
  bytes: number;
}

/**
 * The log in a folder of segment files, one write and one fdatasync a batch. Every run of the server, and every
 * failed write, begins a new segment: its header says with which batch it begins, and whatever an older
 * segment holds from that number on, torn or of unknown outcome, no longer counts. A segment has its name once its
 * header is on the disk.
 */
export class FileLog implements Log {
  readonly #folder: string;
  readonly #files: Files;
  readonly #segmentBytes: number;
  /** Those on the disk, oldest first. */
  #segments: Segment[] = [];
  readonly #readers = new Map<number, Promise<OpenFile>>();
  #lastId = 0;
  #writer: { file: OpenFile; segment: Segment } | null = null;
  readonly dropped: DroppedPart[] = [];
  /** The last batch that was read, until it is known to be on the disk. */
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
    return (await this.#files.room?.(this.#folder)) ?? Infinity;
  }

  async *read(): AsyncGenerator<LoggedBatch> {
    // What this process has written itself is on the disk.
    const isStart = this.#segments.length === 0;
    this.#segments = await this.#listSegments();
    const options = { buffers: readBuffers(), checksBodies: this.sizeBytes <= checkedBytes };
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
      // What an older segment holds behind its last batch was told at the start that began the next one.
      if (isStart && end === Infinity && readBytes < segment.sizeBytes)
        this.dropped.push({ place: path, bytes: segment.sizeBytes - readBytes, isTorn: true });
    }
    if (this.#tail) await this.#saveTail(this.#tail);
  }

  async removeDropped(): Promise<void> {
    for (const { place, isTorn } of this.dropped) if (!isTorn) await this.#files.remove(place);
  }

  /**
   * A process that was killed may have left its last batch in the memory of the system only, where a sync that failed
   * may even have given it up. Once readers have seen it, and other batches stand behind it, a power loss must not
   * take it: it is written again. A full disk can be read from all the same; then the first append tries again.
   */
  async #saveTail({ number }: Frame): Promise<void> {
    this.#writer = await this.#beginSegment(number).catch(() => null);
  }

  async append(number: number, bytes: Uint8Array, bodies?: readonly Uint8Array[]): Promise<number> {
    const writer = this.#writer ?? (await this.#beginSegment(number));
    const { file, segment } = writer;
    // Until the batch is durable there is no writer: after a failed sync, a later sync of the same file may
    // report success for data that was lost, so nothing is ever written behind a failure.
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
      // What a segment holds ends where the next one begins; of the last one nobody knows.
      if (!oldest || !next || next.first > number) return;
      await this.#files.remove(this.#path(oldest.id));
      // One after the other also on the disk: a power loss must not leave a hole.
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
    // The next read tries again: there may be too many open files just now.
    reader.catch(() => this.#readers.delete(id));
    return reader;
  }

  async #beginSegment(next: number): Promise<{ file: OpenFile; segment: Segment }> {
    const id = ++this.#lastId;
    const path = this.#path(id);
    const first = this.#tail?.number ?? next;
    const header = segmentHeader(first);
    const tail = this.#tail ? await this.readAt(this.#tail.position, 0, this.#tail.bytes) : Buffer.alloc(0);
    const file = await this.#files.open(path + temporary, 'w');
    try {
      await file.append([header, tail]);
      await file.datasync();
      await this.#files.rename(path + temporary, path);
      await this.#files.syncFolder(this.#folder);
    } catch (error) {
      await closeQuietly(file);
      // On a full disk every refused write would leave a file behind.
      await Promise.allSettled([path + temporary, path].map((name) => this.#files.remove(name)));
      throw error;
    }
    this.#tail = null;
    const segment = { id, first, headerBytes: header.length, sizeBytes: header.length + tail.length };
    this.#segments.push(segment);
    return { file, segment };
  }

  async #listSegments(): Promise<Segment[]> {
    const names = (await this.#files.readdir(this.#folder)).toSorted();
    const segments: Segment[] = [];
    for (const name of names) {
      if (name.endsWith(temporary)) await this.#files.remove(join(this.#folder, name));
      if (!/^\d{8}\.log$/.test(name)) continue;
      const id = Number.parseInt(name, 10);
      const { header, fileBytes } = await readSegmentHeader(this.#files, this.#path(id));
      this.#lastId = id;
      if (header) segments.push({ id, first: header.first, headerBytes: header.bytes, sizeBytes: fileBytes });
      // A segment has its name once its header is durable: this one has lost what it held.
      else this.dropped.push({ place: this.#path(id), bytes: fileBytes, isTorn: false });
    }
    return segments;
  }

  #path(id: number): string {
    return join(this.#folder, `${String(id).padStart(8, '0')}.log`);
  }
}

/** Closes a file of which nothing more is wanted: what it held is durable, or its failure is being told already. */
async function closeQuietly(file: OpenFile | undefined): Promise<void> {
  await file?.close().catch(() => undefined);
}
