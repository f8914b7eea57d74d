import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { SourceMapConsumer } from 'source-map';
import { ProblemError } from '../problem.ts';
import type { SourceMapRecord } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { parseSourceMap, type SourceMapJson } from './parse-source-map.ts';
import { Turns } from './turns.ts';

/** Bytes of maps, as uploaded, that are held decoded; one that is larger is decoded anew each time. */
const cachedBytes = 64 * 1024 * 1024;
const cachedMaps = 32;
/** Decoded, a position takes 40 bytes. The largest maps of real apps have half as many. */
const mostSegments = 8_000_000;

/** Decoded source maps. `source-map` keeps them in memory of its own, which runs out if they are not destroyed. */
export interface MapCache {
  /** Calls back with the decoded map, which must not be used afterwards; null if what is stored of it can't be read. */
  use<Result>(map: SourceMapRecord, callback: (consumer: SourceMapConsumer) => Result): Promise<Result | null>;
  /** How often a map was there already, and how much is held. */
  usage(): MapCacheUsage;
  close(): void;
}

export interface MapCacheUsage {
  hits: number;
  misses: number;
  /** Of maps as uploaded. */
  bytes: number;
}

/** A decoded map is destroyed when it has left the cache and its last user is done. */
class Decoded {
  readonly consumer: Promise<SourceMapConsumer | null>;
  #users = 0;
  #isDropped = false;

  constructor(consumer: Promise<SourceMapConsumer | null>) {
    this.consumer = consumer;
  }

  async use<Result>(callback: (consumer: SourceMapConsumer) => Result): Promise<Result | null> {
    this.#users++;
    try {
      const consumer = await this.consumer;
      return consumer && callback(consumer);
    } finally {
      this.#users--;
      await this.#destroyIfUnused();
    }
  }

  async drop(): Promise<void> {
    this.#isDropped = true;
    await this.#destroyIfUnused();
  }

  async #destroyIfUnused(): Promise<void> {
    if (!this.#isDropped || this.#users > 0) return;
    // Whoever wanted to use a map that could not be read was told so.
    (await this.consumer.catch(() => null))?.destroy();
  }
}

export function openMapCache(store: Store): MapCache {
  const cache = new LRUCache<string, Decoded>({
    max: cachedMaps,
    maxSize: cachedBytes,
    dispose: (decoded) => void decoded.drop(),
  });
  // While it is decoded, a map takes several times its size.
  const decodings = new Turns(1);
  let hits = 0;
  let misses = 0;
  return {
    async use(map, callback) {
      const known = cache.get(map.blob);
      if (known) {
        hits++;
        return known.use(callback);
      }
      misses++;
      const decoded = new Decoded(decodings.take(() => readMap(store, map)));
      const result = decoded.use(callback);
      if (map.size <= cachedBytes) {
        cache.set(map.blob, decoded, { size: Math.max(1, map.size) });
        // A storage that failed may do its work the next time; a map that is damaged stays so.
        decoded.consumer.catch((error: unknown) => {
          if (isUnavailable(error) && cache.peek(map.blob) === decoded) cache.delete(map.blob);
        });
        return result;
      }
      try {
        return await result;
      } finally {
        await decoded.drop();
      }
    },
    usage: () => ({ hits, misses, bytes: cache.calculatedSize }),
    close: () => cache.clear(),
  };
}

function isUnavailable(error: unknown): boolean {
  return error instanceof ProblemError && error.code === 'storage_unavailable';
}

async function readMap(store: Store, map: SourceMapRecord): Promise<SourceMapConsumer | null> {
  const packed = await store.blobs.get(map.blob);
  if (!packed) return null;
  const json = parseSourceMap(await promisify(gunzip)(packed));
  if (countSegments(json) > mostSegments)
    throw new Error(`It has more than ${mostSegments} positions: decoded it would take too much memory.`);
  const { SourceMapConsumer } = await import('source-map');
  return new SourceMapConsumer(json);
}

/** How many positions a map has, at most. */
function countSegments(map: SourceMapJson): number {
  if ('sections' in map) return map.sections.reduce((sum, section) => sum + countSegments(section.map), 0);
  const { mappings } = map;
  // Too short for so many: a position and its comma have two characters.
  if (mappings.length <= mostSegments) return mappings.length;
  let segments = 1;
  for (let at = mappings.indexOf(','); at >= 0; at = mappings.indexOf(',', at + 1)) segments++;
  for (let at = mappings.indexOf(';'); at >= 0; at = mappings.indexOf(';', at + 1)) segments++;
  return segments;
}
