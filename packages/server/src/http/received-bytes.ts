/** A body above this size takes turns with other large bodies. */
export const largeBodyBytes = 64 * 1024;

/**
 * Collects the chunks of a body. Chunks of a large body with a declared length are copied into one buffer as they
 * arrive. If they were kept until the end, the garbage collector would free them late, and the body would take its size
 * twice until then.
 */
export class ReceivedBytes {
  size = 0;
  #chunks: Buffer[] = [];
  readonly #declaredBytes: number;
  #whole: Buffer | null = null;

  /** `declaredBytes` is 0 if the length is unknown. The part of the buffer that is never written uses no memory. */
  constructor(declaredBytes: number) {
    this.#declaredBytes = declaredBytes;
  }

  get chunks(): readonly Buffer[] {
    return this.#chunks;
  }

  get isLarge(): boolean {
    return this.size > largeBodyBytes;
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.size += chunk.length;
    // A program that embeds the server may pass a length that is no number.
    if (!(this.isLarge && this.size <= this.#declaredBytes)) return;
    const isFirst = this.#whole === null;
    const whole = (this.#whole ??= Buffer.allocUnsafeSlow(this.#declaredBytes));
    let at = isFirst ? 0 : this.size - chunk.length;
    for (const part of isFirst ? this.#chunks : [chunk]) at += part.copy(whole, at);
    this.#chunks = [whole.subarray(0, this.size)];
  }

  /** Returns all bytes. */
  join(): Buffer {
    const [only] = this.#chunks;
    return this.#chunks.length === 1 && only ? only : Buffer.concat(this.#chunks, this.size);
  }

  clear(): void {
    this.#chunks = [];
    this.#whole = null;
  }
}
