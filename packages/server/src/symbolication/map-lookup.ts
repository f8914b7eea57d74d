import { withoutQuery } from '../fingerprint/file-path.ts';
import type { SourceMapRecord } from '../store/records/source-map-records.ts';
import { decodeEscapes } from '../text/decode-escapes.ts';

/** The reason why a map matches a frame, the most exact first. */
type MatchReason = 'debug_id' | 'release_url' | 'release_file' | 'no_release';

export interface Candidate {
  map: SourceMapRecord;
  why: MatchReason;
}

/** The maximum number of releases that are listed if none matches. */
const maxReleases = 10;

/** A release, and the rank of its newest map of a file among all maps: 0 is the newest. */
interface ReleaseOfFile {
  release: string;
  rank: number;
}

/** The maps of a project, indexed by the facts that a frame may have. */
export class MapLookup {
  /** Newest first. */
  readonly all: readonly SourceMapRecord[];
  readonly #newest = new Map<string, SourceMapRecord>();
  /** The newest maps without a debug id. They are used where the newest map of all is from another build. */
  readonly #newestWithoutDebugId = new Map<string, SourceMapRecord>();
  /** Computed only if no map matches. */
  #releases: ReadonlyMap<string, readonly ReleaseOfFile[]> | null = null;

  constructor(maps: readonly SourceMapRecord[]) {
    this.all = maps.toSorted((a, b) =>
      a.created_at < b.created_at ? 1 : a.created_at > b.created_at ? -1 : b.id - a.id,
    );
    for (const map of this.all) {
      if (map.debug_id !== null) this.#add(debugKey(map.debug_id), map);
      if (map.url === null) this.#add(anyUrlKey(map.release, map.file), map);
      else this.#add(urlKey(map.release, plainUrl(map.url)), map);
      this.#add(fileKey(map.release, map.file), map);
    }
  }

  /**
   * Returns the maps that may match a frame, in this order: by debug id, by release and URL or file name, then the
   * newest without a release.
   */
  candidates(file: string, release: string | null, debugId: string | null): Candidate[] {
    const found = new Map<number, Candidate>();
    const add = (why: MatchReason, key: string): void => {
      const newest = this.#newest.get(key);
      if (newest && !found.has(newest.id)) found.set(newest.id, { map: newest, why });
      if (!newest || !isOfOtherBuild(newest, debugId)) return;
      const next = this.#newestWithoutDebugId.get(key);
      if (next && !found.has(next.id)) found.set(next.id, { map: next, why });
    };
    if (debugId !== null) add('debug_id', debugKey(debugId));
    const url = withoutQuery(file);
    const urls = [url, pathOf(url)];
    const name = fileName(url);
    if (release !== null) {
      for (const form of urls) add('release_url', urlKey(release, form));
      // A map with another URL most likely belongs to another script.
      add('release_file', anyUrlKey(release, name));
      add('release_file', fileKey(release, name));
    }
    for (const form of urls) add('no_release', urlKey(null, form));
    add('no_release', anyUrlKey(null, name));
    add('no_release', fileKey(null, name));
    return [...found.values()];
  }

  /** Returns the newest releases that have a map of this file, newest first. */
  releasesOf(file: string): string[] {
    const releases = (this.#releases ??= releasesByFile(this.all));
    const url = withoutQuery(file);
    const keys = [fileKey(null, fileName(url)), urlKey(null, url), urlKey(null, pathOf(url))];
    const found = keys.flatMap((key) => releases.get(key) ?? []).toSorted((a, b) => a.rank - b.rank);
    return firstReleases(found);
  }

  #add(key: string, map: SourceMapRecord): void {
    if (!this.#newest.has(key)) this.#newest.set(key, map);
    if (map.debug_id === null && !this.#newestWithoutDebugId.has(key)) this.#newestWithoutDebugId.set(key, map);
  }
}

function releasesByFile(maps: readonly SourceMapRecord[]): Map<string, ReleaseOfFile[]> {
  const releases = new Map<string, ReleaseOfFile[]>();
  for (const [rank, { file, url, release }] of maps.entries()) {
    if (release === null) continue;
    for (const key of [fileKey(null, file), ...(url === null ? [] : [urlKey(null, plainUrl(url))])]) {
      const listed = releases.get(key);
      if (!listed) releases.set(key, [{ release, rank }]);
      else if (listed.length < maxReleases && listed.every((one) => one.release !== release))
        listed.push({ release, rank });
    }
  }
  return releases;
}

/** Returns the first distinct releases of a list. */
export function firstReleases(maps: Iterable<{ readonly release: string | null }>): string[] {
  const releases = new Set<string>();
  for (const { release } of maps) {
    if (release !== null) releases.add(release);
    if (releases.size === maxReleases) break;
  }
  return [...releases];
}

/** Returns whether a map has the right name but belongs to another build. Its positions would be wrong. */
export function isOfOtherBuild({ debug_id }: SourceMapRecord, debugId: string | null): boolean {
  return debugId !== null && debug_id !== null && debug_id.toLowerCase() !== debugId.toLowerCase();
}

const lookupsByList = new WeakMap<readonly SourceMapRecord[], MapLookup>();

/** Returns the index of these maps, built once per list. */
export function mapLookup(maps: readonly SourceMapRecord[]): MapLookup {
  let found = lookupsByList.get(maps);
  if (!found) lookupsByList.set(maps, (found = new MapLookup(maps)));
  return found;
}

/** Returns the name of a map or script without folder and host. */
export function fileName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

/** Removes query and `~`. Both `~/path` and a path alone match any host. */
function plainUrl(url: string): string {
  const plain = withoutQuery(url);
  return plain.startsWith('~/') ? plain.slice(1) : plain;
}

function pathOf(url: string): string {
  const scheme = url.indexOf('://');
  if (scheme < 0) return url;
  const path = url.indexOf('/', scheme + 3);
  return path < 0 ? '/' : url.slice(path);
}

const debugKey = (id: string): string => `debug ${id.toLowerCase()}`;
const urlKey = (release: string | null, url: string): string => `url ${JSON.stringify(release)} ${withoutEscapes(url)}`;
const anyUrlKey = (release: string | null, file: string): string =>
  `any url ${JSON.stringify(release)} ${withoutEscapes(file)}`;
const fileKey = (release: string | null, file: string): string =>
  `file ${JSON.stringify(release)} ${withoutEscapes(file)}`;

/** Returns a URL or name without escapes. Browsers report `my%20app.js`, and the file is `my app.js`. */
function withoutEscapes(text: string): string {
  return decodeEscapes(text, /(?:%[0-9a-f]{2})+/gi);
}
