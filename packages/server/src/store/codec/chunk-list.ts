/** A chunk of fewer bytes opens a new buffer to which the next chunks are copied. */
const smallChunkBytes = 1024;
const minBufferBytes = 256;
const maxBufferBytes = 64 * 1024;

/**
 * Collects chunks of bytes. Small ones are copied into common buffers, which take at most the memory of the bytes once
 * more: a client can send each byte in a chunk, and a chunk takes a hundred bytes of memory.
 */
export class ChunkList {
  size = 0;
  #chunks: Buffer[] = [];
  /** The buffer that has room for the next chunks, or null. */
  #open: Buffer | null = null;
  #filled = 0;

  get chunks(): readonly Buffer[] {
    return this.#open ? [...this.#chunks, this.#open.subarray(0, this.#filled)] : this.#chunks;
  }

  push(chunk: Buffer): void {
    const isFirst = this.size === 0;
    this.size += chunk.length;
    if (this.#open && this.#filled + chunk.length <= this.#open.length) return this.#copy(chunk, this.#open);
    this.#close();
    // A small body has one chunk, which is not copied.
    if (isFirst || chunk.length >= smallChunkBytes) this.#chunks.push(chunk);
    else this.#copy(chunk, (this.#open = Buffer.allocUnsafeSlow(this.#nextBufferBytes(chunk))));
  }

  /** Returns all bytes. */
  join(): Buffer {
    const { chunks } = this;
    const [only] = chunks;
    return chunks.length === 1 && only ? only : Buffer.concat(chunks, this.size);
  }

  clear(): void {
    this.size = 0;
    this.#chunks = [];
    this.#open = null;
    this.#filled = 0;
  }

  #copy(chunk: Buffer, open: Buffer): void {
    this.#filled += chunk.copy(open, this.#filled);
  }

  #close(): void {
    if (this.#open) this.#chunks.push(this.#open.subarray(0, this.#filled));
    this.#open = null;
    this.#filled = 0;
  }

  #nextBufferBytes(chunk: Buffer): number {
    return Math.max(chunk.length, minBufferBytes, Math.min(this.size, maxBufferBytes));
  }
}
