import { open, readdir, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { DamagedStorageError, type Log, type LoggedBatch } from '../driver.ts';
import { frameBatch, frameHeaderBytes } from '../frame.ts';
import { syncFolder } from './sync-folder.ts';
import { readSegment, readSegmentHeader, segmentHeader, type SegmentHeader } from './file-segment.ts';

/** A segment is closed once it is larger; the next batch begins a new one. */
const segmentBytes = 64 * 1024 * 1024;
/** A position is the segment's number and the byte in it, as one safe integer. */
const offsets = 2 ** 32;

/**
 * The log in a folder of segment files, one write and one fdatasync a batch. Every run of the server, and every
 * failed write, begins a new segment: its header says with which batch it begins, and whatever an older
 * segment holds from that number on, torn or of unknown outcome, no longer counts.
 */
export class FileLog implements Log {
  readonly #folder: string;
  readonly #readers = new Map<number, Promise<FileHandle>>();
  #lastSegment = 0;
  #writer: { handle: FileHandle; segment: number; size: number } | null = null;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async *read(): AsyncGenerator<LoggedBatch> {
    const segments = await this.#segments();
    for (const [index, { segment, header }] of segments.entries()) {
      const end = segments[index + 1]?.header.first ?? Infinity;
      let next = header.first;
      for await (const { number, offset, bytes } of readSegment(this.#path(segment), header)) {
        if (number >= end) break;
        yield { number, position: segment * offsets + offset, bytes };
        next = number + 1;
      }
      if (end !== Infinity && next !== end) {
        throw new DamagedStorageError(
          `${this.#path(segment)} ends before batch ${end - 1}: a part of the log is missing.`,
        );
      }
    }
  }

  async append(number: number, bytes: Uint8Array): Promise<number> {
    const writer = this.#writer ?? (await this.#beginSegment(number));
    // Until the batch is durable there is no writer: after a failed sync, a later sync of the same file may
    // report success for data that was lost, so nothing is ever written behind a failure.
    this.#writer = null;
    try {
      const frame = frameBatch(number, bytes);
      await writer.handle.appendFile(frame);
      await writer.handle.datasync();
      const position = writer.segment * offsets + writer.size + frameHeaderBytes;
      writer.size += frame.length;
      if (writer.size < segmentBytes) this.#writer = writer;
      else await writer.handle.close();
      return position;
    } catch (error) {
      await closeFailed(writer.handle);
      throw error;
    }
  }

  async readAt(position: number, offset: number, length: number): Promise<Uint8Array> {
    const segment = Math.floor(position / offsets);
    const reader = await this.#reader(segment);
    const { buffer, bytesRead } = await reader.read(
      Buffer.allocUnsafe(length),
      0,
      length,
      (position % offsets) + offset,
    );
    return buffer.subarray(0, bytesRead);
  }

  async close(): Promise<void> {
    const handles = [this.#writer?.handle, ...this.#readers.values()];
    this.#writer = null;
    this.#readers.clear();
    await Promise.allSettled(handles.map(async (handle) => (await handle)?.close()));
  }

  #reader(segment: number): Promise<FileHandle> {
    const known = this.#readers.get(segment);
    if (known) return known;
    const reader = open(this.#path(segment), 'r');
    this.#readers.set(segment, reader);
    // The next read tries again: there may be too many open files just now.
    reader.catch(() => this.#readers.delete(segment));
    return reader;
  }

  async #beginSegment(first: number): Promise<{ handle: FileHandle; segment: number; size: number }> {
    const segment = ++this.#lastSegment;
    const handle = await open(this.#path(segment), 'ax');
    try {
      const header = segmentHeader(first);
      await handle.appendFile(header);
      await handle.datasync();
      await syncFolder(this.#folder);
      return { handle, segment, size: header.length };
    } catch (error) {
      await closeFailed(handle);
      // On a full disk every refused write would leave an empty file behind.
      await rm(this.#path(segment), { force: true }).catch(() => undefined);
      throw error;
    }
  }

  async #segments(): Promise<{ segment: number; header: SegmentHeader }[]> {
    const names = (await readdir(this.#folder)).filter((name) => /^\d{8}\.log$/.test(name)).toSorted();
    const segments: { segment: number; header: SegmentHeader }[] = [];
    for (const name of names) {
      const segment = Number.parseInt(name, 10);
      const header = await readSegmentHeader(this.#path(segment));
      this.#lastSegment = segment;
      // A file whose header was not finished holds nothing that anybody was told about.
      if (header) segments.push({ segment, header });
      else await rm(this.#path(segment));
    }
    return segments;
  }

  #path(segment: number): string {
    return join(this.#folder, `${String(segment).padStart(8, '0')}.log`);
  }
}

/** Closes a file that has failed already: a second failure adds nothing to the one that is being told. */
async function closeFailed(handle: FileHandle): Promise<void> {
  await handle.close().catch(() => undefined);
}
