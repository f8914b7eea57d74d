import { createHash, type Hash } from 'node:crypto';
import type { TextSink } from './json-scanner.ts';
import { BlockWriter, type PackedPieces } from './block-writer.ts';

/** A longer name is cut: nobody could read it. */
const nameBytes = 4_096;
/** Of its SHA-256. */
export const hashBytes = 16;

/** Where a text lies in the bytes of all texts of its kind. */
export interface Text {
  start: number;
  bytes: number;
}

/** Names of sources, one behind the other. */
export class NamesWriter implements TextSink {
  readonly blocks: BlockWriter;
  #start = 0;

  constructor(pieces: PackedPieces) {
    this.blocks = new BlockWriter(pieces);
  }

  begin(): void {
    this.#start = this.blocks.size;
  }

  feed(bytes: Uint8Array, from: number, to: number): void {
    const room = nameBytes - (this.blocks.size - this.#start);
    this.blocks.write(bytes, from, Math.min(to, from + room));
  }

  end(): Text {
    return { start: this.#start, bytes: this.blocks.size - this.#start };
  }
}

export interface Content extends Text {
  hash: Buffer;
}

/** Contents of sources, one behind the other, with what it takes to find a line of one. */
export class ContentsWriter implements TextSink {
  readonly blocks: BlockWriter;
  /** Of each block, how many lines of the source that it begins within have ended before. */
  readonly linesBefore: number[] = [0];
  #start = 0;
  #isOpen = false;
  /** Of the open text; null as long as it is empty. */
  #hash: Hash | null = null;
  #lines = 0;
  /** Of the open block: from where on it has not been looked at. */
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

  end(): Content {
    this.#scan(this.blocks.pending);
    const hash = this.#hash?.digest().subarray(0, hashBytes) ?? hashOfNothing;
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

  /** Texts come in bits of a few bytes: they are looked at together. */
  #scan(bytes: Buffer): void {
    const fresh = bytes.subarray(this.#scanned);
    if (fresh.length > 0) (this.#hash ??= createHash('sha256')).update(fresh);
    for (let at = fresh.indexOf(newline); at >= 0; at = fresh.indexOf(newline, at + 1)) this.#lines++;
    this.#scanned = bytes.length;
  }
}

const newline = 0x0a;
/** A map may have a hundred thousand empty texts. */
const hashOfNothing = createHash('sha256').digest().subarray(0, hashBytes);
