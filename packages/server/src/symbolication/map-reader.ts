import type { ContextLine } from '@service/protocol';
import { LRUCache } from 'lru-cache';
import { normalizePath } from '../fingerprint/file-path.ts';
import { ProblemError } from '../problem.ts';
import type { SourceMapRecord } from '../store/records/source-map-records.ts';
import type { Store } from '../store/store.ts';
import { indexOldMap, type IndexBlob } from './indexing/index-old-map.ts';
import { DamagedIndexError, UnreadableIndexError } from './map-index/damaged-index-error.ts';
import { MapIndex } from './map-index/map-index.ts';
import type { MapIndexing } from './indexing/map-indexing.ts';
import { sourceName } from './source-name.ts';
import type { SourceText } from './source-text.ts';
import { Semaphore } from '../jobs/semaphore.ts';

/** The number of source lines shown before and after that of a frame. */
const contextLines = 5;

// Maximum sizes of the caches. A larger value is never cached and is read again for every report.
const positionCacheBytes = 4 * 1024 * 1024;
const blockCacheBytes = 8 * 1024 * 1024;
/** The directory of the largest accepted map takes half of this. */
const directoryCacheBytes = 16 * 1024 * 1024;
const sourceListCacheBytes = 16 * 1024 * 1024;
/** The sources of a map beyond these limits are not listed, so `sourcesOf` returns none of them. */
const maxListedSources = 20_000;
const maxListBytes = 12 * 1024 * 1024;
/** The number of names after which the event loop may run other work. */
const namesPerYield = 500;
/** A damaged map is not read again within this time. */
const damagedMs = 60_000;
const maxDamaged = 1_000;
/**
 * Reports wait for a storage that fails only briefly: a report that is grouped without its map splits a bug in two. A
 * longer failure for one map may never end, and reports are worth more than correct groups. The browser SDK gives up on
 * a report after ten seconds.
 */
const transientMs = 8_000;
/** A failure this long after the previous one is unrelated to it. */
const forgottenMs = 60_000;
const maxFailing = 1_000;
const maxNewIndexes = 1_000;

/** The original of a position in a minified file, with the lines around it. Callers must not modify it. */
export interface OriginalPosition {
  file: string;
  /** Counted from 1, as is `column`. */
  line: number;
  column: number;
  /** True if the map marks the source as code of a dependency. */
  isIgnored: boolean;
  /** Null if the map does not contain the source. Then there is no context either. */
  source: SourceText | null;
  context: ContextLine[];
}

/** A source that a map contains. */
export interface MapSource {
  /** In the format of `normalizePath`: equal in every build. */
  path: string;
  isIgnored: boolean;
  bytes: number;
  /** The hash of the content. */
  hash: string;
  /** Resolves with null if the content is damaged. Rejects with a ProblemError if it cannot be read now. */
  text(): Promise<string | null>;
}

/** The map does not cover a position. */
export interface OutsideMap {
  file: null;
  /** The last line of the minified file that has a position. */
  lines: number;
}

export interface MapReaderUsage {
  /** The number of lookups that the cache served. `misses` counts the others. */
  hits: number;
  misses: number;
  /** The size of the caches in bytes. */
  bytes: number;
}

/** Logs for the operator what is wrong with a map. */
export type MapWarning = (error: unknown, map: SourceMapRecord, message: string) => void;

/** Reads the indexes of uploaded maps: only the parts that are needed, which it caches. */
export class MapReader {
  readonly #store: Store;
  readonly #indexing: MapIndexing;
  readonly #warn: MapWarning;
  readonly #now: () => number;
  readonly #positions = new LRUCache<string, OriginalPosition | OutsideMap>({
    maxSize: positionCacheBytes,
    sizeCalculation: positionSize,
  });
  readonly #blocks = new LRUCache<string, Buffer>({
    maxSize: blockCacheBytes,
    sizeCalculation: ({ length }) => length + 100,
  });
  readonly #indexes = new LRUCache<string, MapIndex>({
    maxSize: directoryCacheBytes,
    sizeCalculation: ({ sizeBytes }) => sizeBytes,
  });
  readonly #sources = new LRUCache<string, readonly MapSource[]>({
    maxSize: sourceListCacheBytes,
    sizeCalculation: (sources) => sources.reduce((sum, source) => sum + listedBytes(source), 100),
  });
  readonly #damaged = new LRUCache<string, DamagedIndexError>({ max: maxDamaged, ttl: damagedMs });
  /** Blobs that could not be read: the times of the first and the last failure. */
  readonly #failing = new LRUCache<string, { since: number; last: number }>({ max: maxFailing });
  /** Blobs that were logged recently. */
  readonly #warned = new LRUCache<string, true>({ max: maxFailing, ttl: damagedMs });
  /** Reads in progress. Concurrent callers share them. */
  readonly #pendingReads = new Map<string, Promise<unknown>>();
  readonly #oldMapSemaphore = new Semaphore(1);
  /** The new indexes of old maps, for callers that hold the former records. */
  readonly #newIndexes = new LRUCache<string, IndexBlob>({ max: maxNewIndexes });
  #hits = 0;
  #misses = 0;

  constructor(store: Store, indexing: MapIndexing, now: () => number, warn: MapWarning) {
    this.#store = store;
    this.#indexing = indexing;
    this.#now = now;
    this.#warn = warn;
  }

  /**
   * Returns the original of a position in the minified file, line and column from 1. Returns synchronously if it is
   * cached. Rejects with a DamagedIndexError. Rejects with `storage_unavailable` or `overloaded` if the map cannot be
   * read now.
   */
  locate(
    map: SourceMapRecord,
    line: number,
    column: number,
  ): OriginalPosition | OutsideMap | Promise<OriginalPosition | OutsideMap> {
    const key = `${map.blob} ${line}:${column}`;
    const known = this.#positions.get(key);
    if (known) {
      this.#hits++;
      return known;
    }
    this.#misses++;
    return this.#locate(map, line, column).then((position) => {
      this.#positions.set(key, position);
      return position;
    });
  }

  usage(): MapReaderUsage {
    const bytes = [this.#positions, this.#blocks, this.#indexes, this.#sources].reduce(
      (sum, { calculatedSize }) => sum + calculatedSize,
      0,
    );
    return { hits: this.#hits, misses: this.#misses, bytes };
  }

  /** Returns the sources that a map contains. Rejects as `locate` does. */
  async sourcesOf(map: SourceMapRecord): Promise<readonly MapSource[]> {
    const known = this.#sources.get(map.blob);
    if (known) return known;
    return this.#shareRead(`sources ${map.blob}`, async () => {
      const sources = await this.#list(map);
      this.#sources.set(map.blob, sources);
      return sources;
    });
  }

  async #list(map: SourceMapRecord): Promise<readonly MapSource[]> {
    const index = await this.#indexOf(map);
    const sources: MapSource[] = [];
    let bytes = 0;
    for (let at = 0; at < index.sourceCount && index.sourceCount <= maxListedSources; at++) {
      if (at % namesPerYield === namesPerYield - 1) await new Promise(setImmediate);
      const content = index.contentOf(at);
      const named = content && (await index.nameOf(at));
      if (!named) continue;
      const path = await plainPath(named.name, named.sourceRoot);
      const source = { path, isIgnored: index.isIgnored(at), ...content, text: () => this.#text(map, at) };
      bytes += listedBytes(source);
      if (bytes > maxListBytes) return [];
      sources.push(source);
    }
    return sources;
  }

  async #locate(map: SourceMapRecord, line: number, column: number): Promise<OriginalPosition | OutsideMap> {
    const known = this.#damaged.get(map.blob);
    if (known) throw known;
    try {
      return await this.#read(map, line, column);
    } catch (error) {
      if (error instanceof UnreadableIndexError) this.#warnOnce(error, map, 'a source map cannot be read');
      else if (error instanceof DamagedIndexError) {
        this.#damaged.set(map.blob, error);
        this.#warn(error, map, 'a source map cannot be used');
      }
      throw error;
    }
  }

  async #read(map: SourceMapRecord, line: number, column: number): Promise<OriginalPosition | OutsideMap> {
    const index = await this.#indexOf(map);
    // Some engines count columns from 0.
    const found = await index.find(Math.max(1, line) - 1, Math.max(1, column) - 1);
    const named = found && (await index.nameOf(found.source));
    if (!found || !named) return { file: null, lines: index.lines };
    const file = await sourceName(named.name, named.sourceRoot);
    const content = index.contentOf(found.source);
    const { project_id: projectId } = map;
    const source = content && { ...content, file, projectId, text: () => this.#text(map, found.source) };
    const context = await index.linesOf(found.source, found.line + 1 - contextLines, found.line + 1 + contextLines);
    return {
      file,
      line: found.line + 1,
      column: found.column + 1,
      isIgnored: index.isIgnored(found.source),
      source,
      context,
    };
  }

  async #text(map: SourceMapRecord, source: number): Promise<string | null> {
    try {
      return await (await this.#indexOf(map)).text(source);
    } catch (error) {
      // A temporary failure is not damage. If it counted as damage, the frame would get another name the next time.
      if (error instanceof ProblemError) throw error;
      this.#warnOnce(error, map, 'the content of a source cannot be read');
      return null;
    }
  }

  #warnOnce(error: unknown, map: SourceMapRecord, message: string): void {
    if (!this.#warned.has(map.blob)) this.#warn(error, map, message);
    this.#warned.set(map.blob, true);
  }

  async #indexOf(map: SourceMapRecord): Promise<MapIndex> {
    const stored = indexBlobOf(map) ?? this.#newIndexes.get(map.blob) ?? (await this.#indexOld(map));
    const known = this.#indexes.get(stored.blob);
    if (known) return known;
    return this.#shareRead(stored.blob, async () => {
      const index = await this.#open(stored);
      this.#indexes.set(stored.blob, index);
      return index;
    });
  }

  #indexOld(map: SourceMapRecord): Promise<IndexBlob> {
    return this.#shareRead(map.blob, () =>
      this.#oldMapSemaphore.run(async () => {
        const index = await this.#orUnreadable(map.blob, () => indexOldMap(this.#store, this.#indexing, map));
        this.#newIndexes.set(map.blob, index);
        return index;
      }),
    );
  }

  #open({ blob, bytes }: IndexBlob): Promise<MapIndex> {
    const read = async (start: number, end: number): Promise<Uint8Array> => {
      const found = await this.#orUnreadable(blob, () => this.#store.blobs.read(blob, start, end));
      if (found?.length === end - start) return found;
      throw new DamagedIndexError(found ? 'a part of it is missing' : 'it is missing');
    };
    return MapIndex.open(bytes, read, {
      get: async (offset, unpack) => {
        const key = `${blob} ${offset}`;
        const known = this.#blocks.get(key);
        if (known) return known;
        return this.#shareRead(key, async () => {
          const block = await unpack();
          this.#blocks.set(key, block);
          return block;
        });
      },
    });
  }

  /** Rejects with an UnreadableIndexError if the read has failed for `transientMs`. */
  async #orUnreadable<Result>(blob: string, read: () => Promise<Result>): Promise<Result> {
    try {
      const result = await read();
      this.#failing.delete(blob);
      return result;
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      const now = this.#now();
      const known = this.#failing.get(blob);
      const since = known && now - known.last < forgottenMs ? known.since : now;
      this.#failing.set(blob, { since, last: now });
      throw now - since < transientMs ? error : new UnreadableIndexError(error);
    }
  }

  #shareRead<Result>(key: string, read: () => Promise<Result>): Promise<Result> {
    const reading = this.#pendingReads.get(key);
    if (reading) return reading as Promise<Result>;
    const started = read().finally(() => this.#pendingReads.delete(key));
    this.#pendingReads.set(key, started);
    return started;
  }
}

/** Returns the normalized path of a source. Few names contain `./` or `../` parts, which only `sourceName` removes. */
async function plainPath(name: string, sourceRoot: string): Promise<string> {
  const path = normalizePath(sourceRoot === '' ? name : `${sourceRoot.replace(/\/$/, '')}/${name}`);
  return /\/\.{0,2}\//.test(path) ? normalizePath(await sourceName(name, sourceRoot)) : path;
}

function indexBlobOf({ blob, index_bytes }: SourceMapRecord): IndexBlob | null {
  return index_bytes === undefined ? null : { blob, bytes: index_bytes };
}

/** The approximate size in memory, in bytes. */
function listedBytes({ path }: MapSource): number {
  return path.length * 2 + 300;
}

/** The approximate size in memory, in bytes. */
function positionSize(position: OriginalPosition | OutsideMap): number {
  if (position.file === null) return 200;
  return position.context.reduce((sum, { text }) => sum + 60 + text.length * 2, 600 + position.file.length * 2);
}
