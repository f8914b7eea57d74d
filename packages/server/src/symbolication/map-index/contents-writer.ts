import { createHash, type Hash } from 'node:crypto';
import { BlockWriter, type PackedPieces } from './block-writer.ts';
import type { TextSink } from './json-scanner.ts';
import type { TextSpan } from './names-writer.ts';

/** The number of bytes kept of a SHA-256 hash. */
export const textHashBytes = 16;

export interface ContentSpan extends TextSpan {
  hash: Buffer;
}

/** Writes the contents of sources, one after the other, and counts their lines per block, to find a line later. */
export class ContentsWriter implements TextSink {
  readonly blocks: BlockWriter;
  /** For each block: the number of newlines before it in the source in which it begins. */
  readonly linesBefore: number[] = [0];
  #start = 0;
  #isOpen = false;
  /** The hash of the current text; null while it is empty. */
  #hash: Hash | null = null;
  #lines = 0;
  /** The number of scanned bytes of the current block. */
  #scanned = 0;

  constructor(pieces: PackedPieces) {
    this.blocks = new BlockWriter(pieces, (bytes) => this.#endBlock(bytes));
  }

  begin(): void {
    this.#start = this.blocks.size;
    this.#scanned = this.blocks.pending.length;
    this.#lines = 0;
    this.#isOpen = true;
  }

  feed(bytes: Uint8Array, from: number, to: number): void {
    this.blocks.write(bytes, from, to);
  }

  end(): ContentSpan {
    this.#scan(this.blocks.pending);
    const hash = this.#hash?.digest().subarray(0, textHashBytes) ?? hashOfNothing;
    this.#isOpen = false;
    this.#hash = null;
    this.#lines = 0;
    return { start: this.#start, bytes: this.blocks.size - this.#start, hash };
  }

  #endBlock(bytes: Buffer): void {
    if (this.#isOpen) this.#scan(bytes);
    this.#scanned = 0;
    this.linesBefore.push(this.#lines);
  }

  /** Scans the new bytes together because texts arrive in pieces of a few bytes. */
  #scan(bytes: Buffer): void {
    const fresh = bytes.subarray(this.#scanned);
    if (fresh.length > 0) (this.#hash ??= createHash('sha256')).update(fresh);
    for (let at = fresh.indexOf(newlineByte); at >= 0; at = fresh.indexOf(newlineByte, at + 1)) this.#lines++;
    this.#scanned = bytes.length;
  }
}

const newlineByte = 0x0a;
/** Computed once because a map may have a hundred thousand empty texts. */
const hashOfNothing = createHash('sha256').digest().subarray(0, textHashBytes);
