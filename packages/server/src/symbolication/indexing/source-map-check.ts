import { JsonScanner, NotJsonError } from '../map-index/json-scanner.ts';
import type { MapSink } from '../map-index/map-sink.ts';
import { MappingsError } from '../map-index/mappings-check.ts';
import { invalidMap, type InvalidMapError } from './invalid-map.ts';
import { MapStructure, type SourceMapFacts } from './map-structure.ts';

/** Valid maps need five levels. Fields that are not read may need more. */
const maxJsonDepth = 100;

/**
 * Validates a map that arrives in pieces, and forwards its content to a sink. Clients need to know at the upload
 * whether the map can resolve anything. Keeps almost nothing in memory, because a map may be very large.
 * At least as strict as the `source-map` package, which is the reference in tests. Throws an `InvalidMapError`.
 */
export class SourceMapCheck {
  readonly #structure: MapStructure;
  readonly #scanner: JsonScanner;
  /** The first bytes, until they suffice to recognize a prefix. */
  #head: Buffer | null = Buffer.alloc(0);
  #isInPrefix = false;

  constructor(sink: MapSink | null = null) {
    this.#structure = new MapStructure(sink);
    this.#scanner = new JsonScanner(this.#structure, maxJsonDepth);
  }

  push(bytes: Uint8Array): void {
    if (this.#head) {
      this.#head = Buffer.concat([this.#head, bytes]);
      if (this.#head.length >= maxHeadBytes) this.#readHead(this.#head);
    } else {
      this.#scan(bytes);
    }
  }

  finish(): SourceMapFacts {
    if (this.#head) this.#readHead(this.#head);
    if (this.#isInPrefix) throw notJson();
    orInvalid(() => this.#scanner.finish());
    return this.#structure.facts();
  }

  /** Skips a byte order mark, and a first line with `)]}'`, which keeps pages from running the map as a script. */
  #readHead(head: Buffer): void {
    this.#head = null;
    const start = head.subarray(0, mark.length).equals(mark) ? mark.length : 0;
    this.#isInPrefix = head.subarray(start, start + guard.length).equals(guard);
    this.#scan(head.subarray(start));
  }

  #scan(bytes: Uint8Array): void {
    let rest = bytes;
    if (this.#isInPrefix) {
      const end = rest.indexOf(0x0a);
      if (end < 0) return;
      this.#isInPrefix = false;
      rest = rest.subarray(end + 1);
    }
    orInvalid(() => this.#scanner.push(rest));
  }
}

const mark = Buffer.from('\uFEFF');
const guard = Buffer.from(")]}'");
const maxHeadBytes = mark.length + guard.length;

function orInvalid(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (error instanceof NotJsonError) throw notJson(error);
    if (error instanceof MappingsError) throw invalidMap(error.message, error);
    throw error;
  }
}

const notJson = (cause?: unknown): InvalidMapError =>
  invalidMap('It is not JSON. Check that it is not the script itself or an HTML error page.', cause);
