/**
 * Reads a stream in pieces of requested sizes. Buffers at most the requested bytes and the rest of their last piece.
 */
export class BufferedReader {
  readonly #source: AsyncIterator<Buffer>;
  #pieces: Buffer[] = [];
  #size = 0;
  #isAtEnd = false;
  /** Offset of the next byte. */
  position = 0;

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Removes this many bytes and resolves with them, or with null if fewer remain. */
  async take(length: number): Promise<Buffer | null> {
    const bytes = await this.peek(length);
    if (!bytes) return null;
    this.#pieces[0] = this.#pieces[0]?.subarray(length) ?? Buffer.alloc(0);
    this.#size -= length;
    this.position += length;
    return bytes;
  }

  /** Resolves with this many bytes without removing them, or with null if fewer remain. */
  async peek(length: number): Promise<Buffer | null> {
    while (this.#size < length && !this.#isAtEnd) await this.#pull();
    if (this.#size < length) return null;
    if ((this.#pieces[0]?.length ?? 0) < length) this.#pieces = [Buffer.concat(this.#pieces, this.#size)];
    return (this.#pieces[0] ?? Buffer.alloc(0)).subarray(0, length);
  }

  /** Removes the text up to the next line feed and resolves with it, or with null if none is within `maxBytes`. */
  async line(maxBytes: number): Promise<string | null> {
    while (this.#size < maxBytes && !this.#isAtEnd) await this.#pull();
    const start = Buffer.concat(this.#pieces, this.#size).subarray(0, maxBytes);
    const end = start.indexOf('\n');
    return end < 0 ? null : ((await this.take(end + 1))?.toString('utf8', 0, end) ?? null);
  }

  async isAtEnd(): Promise<boolean> {
    while (this.#size === 0 && !this.#isAtEnd) await this.#pull();
    return this.#size === 0;
  }

  async #pull(): Promise<void> {
    const { done, value } = await this.#source.next();
    if (done) this.#isAtEnd = true;
    else if (value.length > 0) {
      this.#pieces.push(value);
      this.#size += value.length;
    }
  }
}
