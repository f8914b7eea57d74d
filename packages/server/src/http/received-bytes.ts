import { ChunkList } from '../store/codec/chunk-list.ts';

/** A body above this size takes turns with other large bodies. */
export const largeBodyBytes = 64 * 1024;

/**
 * Collects the chunks of a body. Chunks of a large body with a declared length are copied into one buffer as they
 * arrive. If they were kept until the end, the garbage collector would free them late, and the body would take its size
 * twice until then.
 */
export class ReceivedBytes {
  size = 0;
  /** The chunks, unless they are in `#whole`. */
  readonly #list = new ChunkList();
  readonly #declaredBytes: number;
  #whole: Buffer | null = null;

  /** `declaredBytes` is 0 if the length is unknown. The part of the buffer that is never written uses no memory. */
  constructor(declaredBytes: number) {
    this.#declaredBytes = declaredBytes;
  }

  get chunks(): readonly Buffer[] {
    return this.#whole ? [this.#whole.subarray(0, this.size)] : this.#list.chunks;
  }

  get isLarge(): boolean {
    return this.size > largeBodyBytes;
  }

  push(chunk: Buffer): void {
    const at = this.size;
    this.size += chunk.length;
    // A body without a declared length, or with a wrong one, stays in chunks. A program that embeds the server may pass
    // a length that is no number.
    if (!(this.isLarge && this.size <= this.#declaredBytes)) {
      this.#leaveWhole(at);
      this.#list.push(chunk);
      return;
    }
    this.#whole ??= this.#openWhole();
    chunk.copy(this.#whole, at);
  }

  /** Returns all bytes. */
  join(): Buffer {
    return this.#whole ? this.#whole.subarray(0, this.size) : this.#list.join();
  }

  clear(): void {
    this.#list.clear();
    this.#whole = null;
  }

  #openWhole(): Buffer {
    const whole = Buffer.allocUnsafeSlow(this.#declaredBytes);
    let at = 0;
    for (const part of this.#list.chunks) at += part.copy(whole, at);
    this.#list.clear();
    return whole;
  }

  /** Continues in chunks: the body is larger than it declared. */
  #leaveWhole(size: number): void {
    if (!this.#whole) return;
    this.#list.push(this.#whole.subarray(0, size));
    this.#whole = null;
  }
}
