import { constants, deflateSync } from 'node:zlib';

/**
 * Reading any byte of a block unpacks the whole block, in a fifth of a millisecond. Smaller blocks need more
 * space.
 */
const blockBytes = 32 * 1024;

/** Higher levels take two to eight times as long and save a tenth. */
const packing = { level: constants.Z_BEST_SPEED, chunkSize: blockBytes + 1024 };

/** The offset and packed size of a block in the index, and its unpacked size. */
export interface Block {
  offset: number;
  packedBytes: number;
  bytes: number;
}

/** The written part of an index that has not been taken yet. */
export class PackedPieces {
  /** The size of all pieces, including those already taken. */
  size = 0;
  #pieces: Uint8Array[] = [];

  add(bytes: Uint8Array): void {
    this.#pieces.push(bytes);
    this.size += bytes.length;
  }

  take(): Uint8Array[] {
    const pieces = this.#pieces;
    this.#pieces = [];
    return pieces;
  }
}

/** Writes bytes of one kind in blocks. Each block is packed separately, so it can be read without the others. */
export class BlockWriter {
  readonly blocks: Block[] = [];
  /** Bytes written, before packing. */
  size = 0;
  readonly #pieces: PackedPieces;
  readonly #onBlock: (bytes: Buffer) => void;
  #open: Buffer | null = null;
  #filled = 0;

  /** Calls `onBlock` with each block before it is packed. */
  constructor(pieces: PackedPieces, onBlock: (bytes: Buffer) => void = () => undefined) {
    this.#pieces = pieces;
    this.#onBlock = onBlock;
  }

  /** The bytes of the block that is not packed yet. */
  get pending(): Buffer {
    return (this.#open ?? noBytes).subarray(0, this.#filled);
  }

  write(bytes: Uint8Array, from: number, to: number): void {
    for (let at = from; at < to;) {
      const open = (this.#open ??= Buffer.allocUnsafeSlow(blockBytes));
      const length = Math.min(to - at, blockBytes - this.#filled);
      if (length <= 8) for (let index = 0; index < length; index++) open[this.#filled + index] = bytes[at + index] ?? 0;
      else open.set(bytes.subarray(at, at + length), this.#filled);
      this.#filled += length;
      this.size += length;
      at += length;
      if (this.#filled === blockBytes) this.flush();
    }
  }

  /** Writes bytes that must be in a single block. */
  writeWhole(bytes: Uint8Array, from: number, to: number): void {
    if (this.#filled + to - from > blockBytes) this.flush();
    this.write(bytes, from, to);
  }

  /** Packs the current block. */
  flush(): void {
    const bytes = this.pending;
    if (bytes.length === 0) return;
    this.#onBlock(bytes);
    // A copy: the result is a view of a buffer of `chunkSize`, which would be kept.
    const packed = Buffer.from(deflateSync(bytes, packing));
    this.blocks.push({ offset: this.#pieces.size, packedBytes: packed.length, bytes: bytes.length });
    this.#pieces.add(packed);
    this.#filled = 0;
  }
}

const noBytes = Buffer.alloc(0);
