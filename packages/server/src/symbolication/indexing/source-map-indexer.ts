import { createHash } from 'node:crypto';
import { IndexWriter } from '../map-index/index-writer.ts';
import type { SourceMapFacts } from './map-structure.ts';
import { SourceMapCheck } from './source-map-check.ts';

export interface IndexedFacts extends SourceMapFacts {
  /** SHA-256 of the uploaded map, in hexadecimal. */
  hash: string;
}

/** Validates one map that arrives in pieces, and returns its index in pieces. */
export class SourceMapIndexer {
  readonly #writer = new IndexWriter();
  readonly #check = new SourceMapCheck(this.#writer);
  readonly #hash = createHash('sha256');

  /** Indexes the next bytes of the map. Throws an InvalidMapError; so does `finish`. */
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
