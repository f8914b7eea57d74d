import { createHash } from 'node:crypto';
import { IndexWriter } from './map-index/index-writer.ts';
import { SourceMapCheck, type SourceMapFacts } from './source-map-check.ts';

export interface IndexedFacts extends SourceMapFacts {
  /** SHA-256 of the map as it was uploaded, in hexadecimal. */
  hash: string;
}

/** Checks a map that comes in pieces and makes its index, which goes in pieces, too. */
export class SourceMapIndexer {
  readonly #writer = new IndexWriter();
  readonly #check = new SourceMapCheck(this.#writer);
  readonly #hash = createHash('sha256');

  /** Throws an InvalidMapError, as `finish` does. */
  push(bytes: Uint8Array): Uint8Array[] {
    this.#hash.update(bytes);
    this.#check.push(bytes);
    return this.#writer.take();
  }

  finish(): { pieces: Uint8Array[]; facts: IndexedFacts } {
    const facts = this.#check.finish();
    return { pieces: this.#writer.finish(facts.isIndexMap), facts: { ...facts, hash: this.#hash.digest('hex') } };
  }
}
