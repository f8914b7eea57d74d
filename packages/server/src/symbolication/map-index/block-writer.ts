import { constants, deflateSync } from 'node:zlib';

/** To read any byte of a block all of it is unpacked: a fifth of a millisecond. Smaller ones take more room. */
const blockBytes = 32 * 1024;

/** Higher levels take two to eight times as long and save a tenth. */
const packing = { level: constants.Z_BEST_SPEED, chunkSize: blockBytes + 1024 };

/** Where a block lies in the index, packed, and how many bytes it holds. */
export interface Block {
  offset: number;
  packedBytes: number;
  bytes: number;
}

/** What has been written of an index, to be taken away as it comes. */
export class PackedPieces {
  /** Of all pieces, those that were taken too. */
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

/** Bytes of one kind, one behind the other, in blocks that are packed each by itself: each can be read without the others. */
export class BlockWriter {
  readonly blocks: Block[] = [];
  /** Bytes written, before packing. */
  size = 0;
  readonly #pieces: PackedPieces;
  readonly #onBlock: (bytes: Buffer) => void;
  #open: Buffer | null = null;
  #filled = 0;

  /** `onBlock` is shown each block before it is packed. */
  constructor(pieces: PackedPieces, onBlock: (bytes: Buffer) => void = () => undefined) {
    this.#pieces = pieces;
    this.#onBlock = onBlock;
  }

  /** What is written of the block that is not packed yet. */
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

  /** Writes what must not lie in two blocks. */
  writeWhole(bytes: Uint8Array, from: number, to: number): void {
    if (this.#filled + to - from > blockBytes) this.flush();
    this.write(bytes, from, to);
  }

  /** Ends the block that is being written. */
  flush(): void {
    const bytes = this.pending;
    if (bytes.length === 0) return;
    this.#onBlock(bytes);
    const packed = deflateSync(bytes, packing);
    this.blocks.push({ offset: this.#pieces.size, packedBytes: packed.length, bytes: bytes.length });
    this.#pieces.add(packed);
    this.#filled = 0;
  }
}

const noBytes = Buffer.alloc(0);
