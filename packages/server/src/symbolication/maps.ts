import type { ContextLine } from '@service/protocol';
import { LRUCache } from 'lru-cache';
import { normalizePath } from '../fingerprint/file-path.ts';
import { ProblemError } from '../problem.ts';
import type { SourceMapRecord } from '../store/records/records.ts';
import type { Store } from '../store/store.ts';
import { indexOldMap, type IndexBlob } from './index-old-map.ts';
import { DamagedIndexError, UnreadableIndexError } from './map-index/damaged-index-error.ts';
import { MapIndex } from './map-index/map-index.ts';
import type { MapIndexer } from './map-indexer.ts';
import { sourceName } from './source-name.ts';
import type { SourceText } from './source-text.ts';
import { Semaphore } from './semaphore.ts';

/** Lines of source shown before and after the one of a frame. */
const contextLines = 5;

// Bytes that are held in memory, of each kind. What is larger is never held, and would be read anew for every report.
const locationBytes = 4 * 1024 * 1024;
const blockBytes = 8 * 1024 * 1024;
/** The largest map that is taken in has a directory of half as many. */
const directoryBytes = 16 * 1024 * 1024;
const sourceListBytes = 16 * 1024 * 1024;
/** Of a map with more sources, or longer names, none is listed. */
const maxListedSources = 20_000;
const maxListBytes = 12 * 1024 * 1024;
/** After so many names others may go on. */
const namesPerYield = 500;
/** So long a map that is damaged is not looked at again. */
const damagedMs = 60_000;
const maxDamaged = 1_000;
/**
 * A storage that fails in passing is waited for: a report that is grouped without its map splits a bug in two. One that
 * fails with a map for longer may do so for ever, and its reports are worth more than their groups. Our SDK gives a
 * report up after ten seconds.
 */
const transientMs = 8_000;
/** A failure that comes so long after the last one has nothing to do with it. */
const forgottenMs = 60_000;
const maxFailing = 1_000;
const maxNewIndexes = 1_000;

/** Where a place of a minified file stands in the original source, with the lines around it. Only to be read. */
export interface OriginalLocation {
  file: string;
  /** Both counted from 1. */
  line: number;
  column: number;
  /** The map says that the source is none of the app's own. */
  isIgnored: boolean;
  /** Null: the map does not hold it, and there is no context. */
  source: SourceText | null;
  context: ContextLine[];
}

/** A source of a map with its content. */
export interface MapSource {
  /** As `normalizePath` has it: the same in every build. */
  path: string;
  isIgnored: boolean;
  bytes: number;
  /** Of its content. */
  hash: string;
  /** Null: it is damaged. Rejects with `storage_unavailable`. */
  text(): Promise<string | null>;
}

/** The map has no position there. */
export interface OutsideMap {
  file: null;
  /** The last line of the minified file that has one. */
  lines: number;
}

export interface MapsUsage {
  /** How often a place was asked for that was known, and that had to be looked up. */
  hits: number;
  misses: number;
  /** Held in memory. */
  bytes: number;
}

/** Tells the operator what is wrong with a map. */
export type MapsWarning = (error: unknown, map: SourceMapRecord, message: string) => void;

/** The indexes of uploaded maps, read as far as somebody asks. */
export class Maps {
  readonly #store: Store;
  readonly #indexer: MapIndexer;
  readonly #warn: MapsWarning;
  readonly #now: () => number;
  readonly #locations = new LRUCache<string, OriginalLocation | OutsideMap>({
    maxSize: locationBytes,
    sizeCalculation: sizeOf,
  });
  readonly #blocks = new LRUCache<string, Buffer>({
    maxSize: blockBytes,
    sizeCalculation: ({ length }) => length + 100,
  });
  readonly #indexes = new LRUCache<string, MapIndex>({
    maxSize: directoryBytes,
    sizeCalculation: ({ sizeBytes }) => sizeBytes,
  });
  readonly #sources = new LRUCache<string, readonly MapSource[]>({
    maxSize: sourceListBytes,
    sizeCalculation: (sources) => sources.reduce((sum, source) => sum + listedBytes(source), 100),
  });
  readonly #damaged = new LRUCache<string, DamagedIndexError>({ max: maxDamaged, ttl: damagedMs });
  /** Blobs that the storage did not give when they were asked for last: since when. */
  readonly #failing = new LRUCache<string, { since: number; last: number }>({ max: maxFailing });
  /** Blobs that the operator was told of just now. */
  readonly #warned = new LRUCache<string, true>({ max: maxFailing, ttl: damagedMs });
  /** What is being read, for those who ask for the same meanwhile. */
  readonly #pendingReads = new Map<string, Promise<unknown>>();
  readonly #oldMapSemaphore = new Semaphore(1);
  /** Where the indexes of old maps lie, for those who hold their former records. */
  readonly #newIndexes = new LRUCache<string, IndexBlob>({ max: maxNewIndexes });
  #hits = 0;
  #misses = 0;

  constructor(store: Store, indexer: MapIndexer, now: () => number, warn: MapsWarning) {
    this.#store = store;
    this.#indexer = indexer;
    this.#now = now;
    this.#warn = warn;
  }

  /**
   * Where a place of the minified file comes from, line and column counted from 1, at once if that is known. Rejects with
   * a DamagedIndexError or with `storage_unavailable`.
   */
  locate(
    map: SourceMapRecord,
    line: number,
    column: number,
  ): OriginalLocation | OutsideMap | Promise<OriginalLocation | OutsideMap> {
    const key = `${map.blob} ${line}:${column}`;
    const known = this.#locations.get(key);
    if (known) {
      this.#hits++;
      return known;
    }
    this.#misses++;
    return this.#locate(map, line, column).then((location) => {
      this.#locations.set(key, location);
      return location;
    });
  }

  usage(): MapsUsage {
    const bytes = [this.#locations, this.#blocks, this.#indexes, this.#sources].reduce(
      (sum, { calculatedSize }) => sum + calculatedSize,
      0,
    );
    return { hits: this.#hits, misses: this.#misses, bytes };
  }

  /** The sources whose content a map holds. Rejects as `locate` does. */
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

  async #locate(map: SourceMapRecord, line: number, column: number): Promise<OriginalLocation | OutsideMap> {
    const known = this.#damaged.get(map.blob);
    if (known) throw known;
    try {
      return await this.#read(map, line, column);
    } catch (error) {
      if (error instanceof UnreadableIndexError) this.#warnOnce(error, map, 'a source map can not be read');
      else if (error instanceof DamagedIndexError) {
        this.#damaged.set(map.blob, error);
        this.#warn(error, map, 'a source map can not be used');
      }
      throw error;
    }
  }

  async #read(map: SourceMapRecord, line: number, column: number): Promise<OriginalLocation | OutsideMap> {
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
      // Whoever took it for damaged would tell another place or another name than the next time.
      if (error instanceof ProblemError) throw error;
      this.#warnOnce(error, map, 'the content of a source can not be read');
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
        const index = await this.#orUnreadable(map.blob, () => indexOldMap(this.#store, this.#indexer, map));
        this.#newIndexes.set(map.blob, index);
        return index;
      }),
    );
  }

  #open({ blob, bytes }: IndexBlob): Promise<MapIndex> {
    const read = async (start: number, end: number): Promise<Uint8Array> => {
      const found = await this.#orUnreadable(blob, () => this.#store.blobs.read(blob, start, end));
      if (found?.length === end - start) return found;
      throw new DamagedIndexError(found ? 'a part of it is gone' : 'it is gone');
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

  /** Rejects with an UnreadableIndexError once that has failed for long. */
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

/** What `normalizePath` makes of the name of a source. Few have detours that only `sourceName` knows to clear. */
async function plainPath(name: string, sourceRoot: string): Promise<string> {
  const path = normalizePath(sourceRoot === '' ? name : `${sourceRoot.replace(/\/$/, '')}/${name}`);
  return /\/\.{0,2}\//.test(path) ? normalizePath(await sourceName(name, sourceRoot)) : path;
}

function indexBlobOf({ blob, index_bytes }: SourceMapRecord): IndexBlob | null {
  return index_bytes === undefined ? null : { blob, bytes: index_bytes };
}

/** In memory, about. */
function listedBytes({ path }: MapSource): number {
  return path.length * 2 + 300;
}

/** In memory, about. */
function sizeOf(location: OriginalLocation | OutsideMap): number {
  if (location.file === null) return 200;
  return location.context.reduce((sum, { text }) => sum + 60 + text.length * 2, 600 + location.file.length * 2);
}
