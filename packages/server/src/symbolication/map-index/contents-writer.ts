import { createHash, type Hash } from 'node:crypto';
import { nextLineStart } from '../../text/line-starts.ts';
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
  /**
   * For each block: the number of line ends before it in the source in which it begins. Counts a line end that is split
   * between two blocks.
   */
  readonly linesBefore: number[] = [0];
  #start = 0;
  #isOpen = false;
  /** The hash of the current text; null while it is empty. */
  #hash: Hash | null = null;
  #lines = 0;
  /** The last bytes of the block before, if the current text began in it. */
  #tail = noTail;
  /** The number of scanned bytes of the current block. */
  #scanned = 0;

  constructor(pieces: PackedPieces) {
    this.blocks = new BlockWriter(pieces, (bytes) => this.#endBlock(bytes));
  }

  begin(): void {
    this.#start = this.blocks.size;
    this.#scanned = this.blocks.pending.length;
    this.#lines = 0;
    this.#tail = noTail;
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
    this.#tail = Buffer.from(bytes.subarray(-2));
    this.#scanned = 0;
    this.linesBefore.push(this.#lines);
  }

  /** Scans the new bytes together because texts arrive in pieces of a few bytes. */
  #scan(bytes: Buffer): void {
    const fresh = bytes.subarray(this.#scanned);
    if (fresh.length > 0) (this.#hash ??= createHash('sha256')).update(fresh);
    if (this.#scanned === 0 && fresh.length > 0 && isSplitLineEnd(this.#tail, fresh)) {
      this.#lines++;
      this.linesBefore.push((this.linesBefore.pop() ?? 0) + 1);
    }
    for (let at = nextLineStart(fresh, 0); at >= 0; at = nextLineStart(fresh, at)) this.#lines++;
    this.#scanned = bytes.length;
  }
}

const noTail: Buffer = Buffer.alloc(0);

/**
 * Returns whether a line end begins in the last bytes of a block and ends with it, or with the first bytes of the next.
 */
function isSplitLineEnd(tail: Buffer, next: Buffer): boolean {
  // `\r\n` is counted at its last byte.
  if (tail.at(-1) === 0x0d) return next[0] !== 0x0a;
  const split = Buffer.concat([tail, next.subarray(0, 2)]);
  return nextLineStart(split.subarray(split.lastIndexOf(0xe2, tail.length - 1)), 0) === 3;
}

/** Computed once because a map may have a hundred thousand empty texts. */
const hashOfNothing = createHash('sha256').digest().subarray(0, textHashBytes);
