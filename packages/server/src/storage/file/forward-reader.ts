import type { OpenFile } from './files.ts';

const readAheadBytes = 1024 * 1024;
/** If a chunk ends within a frame, up to this many bytes of the frame are copied in front of the next chunk. */
const maxCarriedBytes = 256 * 1024;
/** Gaps below this size are read, not skipped: reading ahead delays no caller. */
const maxReadGapBytes = 1024 * 1024;

interface Chunk {
  start: number;
  bytes: Buffer;
}

/**
 * Reads a file from front to back, one chunk ahead of the caller. Two buffers are enough for a file of any size.
 * The result of `view` is valid until the next `load`.
 */
export class ForwardReader {
  readonly #file: OpenFile;
  readonly #size: number;
  readonly #buffers: [Buffer, Buffer];
  #chunk: Chunk = { start: 0, bytes: Buffer.alloc(0) };
  #ahead: Promise<Chunk> | null = null;

  constructor(file: OpenFile, size: number, buffers = readBuffers()) {
    this.#file = file;
    this.#size = size;
    this.#buffers = buffers;
  }

  /** Returns `length` bytes from a position, or null if they are not in memory. */
  view(position: number, length: number): Buffer | null {
    const start = position - this.#chunk.start;
    if (start < 0 || start + length > this.#chunk.bytes.length) return null;
    return this.#chunk.bytes.subarray(start, start + length);
  }

  /** Loads the file from a position on into memory. Resolves with `length` bytes, or fewer at the end of the file. */
  async load(position: number, length: number): Promise<Buffer> {
    const wanted = Math.max(0, Math.min(length, this.#size - position));
    if (!this.view(position, wanted)) {
      // After a long skip, the next chunk is probably skipped as well, so nothing is read ahead.
      const { start, bytes } = this.#chunk;
      const isSequential = bytes.length > 0 && position - start - bytes.length < maxReadGapBytes;
      this.#chunk = await this.#chunkAt(position, wanted);
      const end = this.#chunk.start + this.#chunk.bytes.length;
      this.#ahead = isSequential ? this.#read(end, this.#otherBuffer(), maxCarriedBytes) : null;
      // The call that awaits this read gets the error. Without such a call, the error is irrelevant.
      this.#ahead?.catch(() => undefined);
    }
    return this.view(position, wanted) ?? Buffer.alloc(0);
  }

  /** Resolves after the pending read. */
  async settle(): Promise<void> {
    await this.#ahead?.catch(() => undefined);
  }

  async #chunkAt(position: number, length: number): Promise<Chunk> {
    const now = this.#chunk;
    const ahead = await this.#ahead;
    const carried = ahead ? Math.max(0, ahead.start - position) : 0;
    const isIn = ahead && position >= now.start && position + length <= ahead.start + ahead.bytes.length;
    if (isIn && carried <= maxCarriedBytes) {
      const buffer = this.#otherBuffer();
      const rest = now.bytes.subarray(now.bytes.length - carried);
      if (carried > 0) buffer.set(rest, maxCarriedBytes - carried);
      return {
        start: ahead.start - carried,
        bytes: buffer.subarray(maxCarriedBytes - carried, maxCarriedBytes + ahead.bytes.length),
      };
    }
    const fits = length <= readAheadBytes;
    return this.#read(position, fits ? this.#otherBuffer() : Buffer.allocUnsafe(length), 0);
  }

  /** Returns the buffer that the current chunk does not use. */
  #otherBuffer(): Buffer {
    const [one, other] = this.#buffers;
    return this.#chunk.bytes.buffer === one.buffer ? other : one;
  }

  async #read(start: number, buffer: Buffer, offset: number): Promise<Chunk> {
    const length = Math.max(0, Math.min(buffer.length - offset, this.#size - start));
    const read = length > 0 ? await this.#file.read(buffer, offset, length, start) : 0;
    return { start, bytes: buffer.subarray(offset, offset + read) };
  }
}

/** Returns two buffers. One pair is enough for all files of a log. */
export function readBuffers(): [Buffer, Buffer] {
  return [readBuffer(), readBuffer()];
}

function readBuffer(): Buffer {
  return Buffer.from(new ArrayBuffer(maxCarriedBytes + readAheadBytes));
}
