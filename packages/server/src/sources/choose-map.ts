import type { SourceMapRecord } from '../store/records.ts';

/** By what a map fits a frame, the most exact first. */
export type Why = 'debug_id' | 'release_url' | 'release_file' | 'no_release';

export interface Candidate {
  map: SourceMapRecord;
  why: Why;
}

/** The maps of a project, found by what a frame may know of its own. */
export class ProjectMaps {
  /** Newest first. */
  readonly all: readonly SourceMapRecord[];
  readonly #newest = new Map<string, SourceMapRecord>();

  constructor(maps: readonly SourceMapRecord[]) {
    this.all = maps.toSorted((a, b) =>
      a.created_at < b.created_at ? 1 : a.created_at > b.created_at ? -1 : b.id - a.id,
    );
    for (const map of this.all) {
      if (map.debug_id !== null) this.#add(debugKey(map.debug_id), map);
      if (map.url !== null) this.#add(urlKey(map.release, plainUrl(map.url)), map);
      this.#add(fileKey(map.release, map.file), map);
    }
  }

  /** The maps that may serve a frame, in this order: by debug id, by release and url or name, then the newest without a release. */
  candidates(file: string, release: string | null, debugId: string | null): Candidate[] {
    const found = new Map<number, Candidate>();
    const add = (why: Why, key: string): void => {
      const map = this.#newest.get(key);
      if (map && !found.has(map.id)) found.set(map.id, { map, why });
    };
    if (debugId !== null) add('debug_id', debugKey(debugId));
    const url = withoutQuery(file);
    const urls = [url, pathOf(url)];
    if (release !== null) {
      for (const form of urls) add('release_url', urlKey(release, form));
      add('release_file', fileKey(release, fileName(url)));
    }
    for (const form of urls) add('no_release', urlKey(null, form));
    add('no_release', fileKey(null, fileName(url)));
    return [...found.values()];
  }

  /** Whether a map is of this file, whatever its release. */
  fits(map: SourceMapRecord, file: string): boolean {
    const url = withoutQuery(file);
    if (map.file === fileName(url)) return true;
    const own = map.url === null ? null : plainUrl(map.url);
    return own !== null && (own === url || own === pathOf(url));
  }

  #add(key: string, map: SourceMapRecord): void {
    if (!this.#newest.has(key)) this.#newest.set(key, map);
  }
}

/** A map of the right name, but of another build: its positions would be wrong. */
export function isOfOtherBuild({ debug_id }: SourceMapRecord, debugId: string | null): boolean {
  return debugId !== null && debug_id !== null && debug_id.toLowerCase() !== debugId.toLowerCase();
}

const known = new WeakMap<readonly SourceMapRecord[], ProjectMaps>();

/** What finds a map among these, made once a list. */
export function projectMaps(maps: readonly SourceMapRecord[]): ProjectMaps {
  let found = known.get(maps);
  if (!found) known.set(maps, (found = new ProjectMaps(maps)));
  return found;
}

/** The name a map or a script has, whatever folder or host it comes from. */
export function fileName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

/** `~/path` stands for any host, and so does a path alone. */
function plainUrl(url: string): string {
  const plain = withoutQuery(url);
  return plain.startsWith('~/') ? plain.slice(1) : plain;
}

export function withoutQuery(url: string): string {
  const end = url.search(/[?#]/);
  return end < 0 ? url : url.slice(0, end);
}

function pathOf(url: string): string {
  const scheme = url.indexOf('://');
  if (scheme < 0) return url;
  const path = url.indexOf('/', scheme + 3);
  return path < 0 ? '/' : url.slice(path);
}

const debugKey = (id: string): string => `debug ${id.toLowerCase()}`;
const urlKey = (release: string | null, url: string): string => `url ${JSON.stringify(release)} ${url}`;
const fileKey = (release: string | null, file: string): string => `file ${JSON.stringify(release)} ${file}`;
