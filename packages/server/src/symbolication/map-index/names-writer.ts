import type { TextSink } from './json-scanner.ts';
import { BlockWriter, type PackedPieces } from './block-writer.ts';

/** Longer names are truncated. */
const maxSourceNameBytes = 4_096;

/** The position of a text in the bytes of all texts of its kind. */
export interface TextSpan {
  start: number;
  bytes: number;
}

/** Writes the names and roots of sources, one after the other. */
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
    const room = maxSourceNameBytes - (this.blocks.size - this.#start);
    this.blocks.write(bytes, from, Math.min(to, from + room));
  }

  end(): TextSpan {
    return { start: this.#start, bytes: this.blocks.size - this.#start };
  }
}
