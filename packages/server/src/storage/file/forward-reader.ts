import type { OpenFile } from './files.ts';

const chunkBytes = 1024 * 1024;
/** What one chunk ends in the middle of is copied before the next one, if it is no more than this. */
const carriedBytes = 256 * 1024;
/** Less than this is read along rather than skipped: nobody waits for what is read ahead. */
const nearBytes = 1024 * 1024;

interface Chunk {
  start: number;
  bytes: Buffer;
}

/**
 * Reads a file from front to back, a chunk ahead of whoever looks at it. Two buffers do for a file of any size:
 * what `view` gives is good until `move` is called.
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

  /** So many bytes from a position on, or null if they are not in memory. */
  view(position: number, length: number): Buffer | null {
    const start = position - this.#chunk.start;
    if (start < 0 || start + length > this.#chunk.bytes.length) return null;
    return this.#chunk.bytes.subarray(start, start + length);
  }

  /** Has what begins at a position in memory, at least so many bytes or as many as there are, and gives these. */
  async move(position: number, length: number): Promise<Buffer> {
    const wanted = Math.max(0, Math.min(length, this.#size - position));
    if (!this.view(position, wanted)) {
      // Where much is skipped, what comes next is not what will be looked at.
      const { start, bytes } = this.#chunk;
      const isReadOn = bytes.length > 0 && position - start - bytes.length < nearBytes;
      this.#chunk = await this.#chunkAt(position, wanted);
      const end = this.#chunk.start + this.#chunk.bytes.length;
      this.#ahead = isReadOn ? this.#read(end, this.#otherBuffer(), carriedBytes) : null;
      // Who waits for it is told; if nobody does, it is nobody's trouble.
      this.#ahead?.catch(() => undefined);
    }
    return this.view(position, wanted) ?? Buffer.alloc(0);
  }

  /** Resolves once nothing is being read any more. */
  async settle(): Promise<void> {
    await this.#ahead?.catch(() => undefined);
  }

  async #chunkAt(position: number, length: number): Promise<Chunk> {
    const now = this.#chunk;
    const ahead = await this.#ahead;
    const carried = ahead ? Math.max(0, ahead.start - position) : 0;
    const isIn = ahead && position >= now.start && position + length <= ahead.start + ahead.bytes.length;
    if (isIn && carried <= carriedBytes) {
      const buffer = this.#otherBuffer();
      const rest = now.bytes.subarray(now.bytes.length - carried);
      if (carried > 0) buffer.set(rest, carriedBytes - carried);
      return {
        start: ahead.start - carried,
        bytes: buffer.subarray(carriedBytes - carried, carriedBytes + ahead.bytes.length),
      };
    }
    const fits = length <= chunkBytes;
    return this.#read(position, fits ? this.#otherBuffer() : Buffer.allocUnsafe(length), 0);
  }

  /** The one that is not looked at. */
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

/** One pair does for all files of a log. */
export function readBuffers(): [Buffer, Buffer] {
  return [readBuffer(), readBuffer()];
}

function readBuffer(): Buffer {
  return Buffer.from(new ArrayBuffer(carriedBytes + chunkBytes));
}
