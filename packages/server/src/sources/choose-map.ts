import type { SourceMapRecord } from '../store/records.ts';

/** The maps of a project, found by what a frame may know of its own. */
export class MapIndex {
  readonly #newest = new Map<string, SourceMapRecord>();

  constructor(maps: readonly SourceMapRecord[]) {
    const byAge = maps.toSorted((a, b) =>
      a.created_at < b.created_at ? -1 : a.created_at > b.created_at ? 1 : a.id - b.id,
    );
    for (const map of byAge) {
      if (map.debug_id !== null) this.#newest.set(debugKey(map.debug_id), map);
      if (map.url !== null) for (const url of urlForms(map.url)) this.#newest.set(urlKey(map.release, url), map);
      this.#newest.set(fileKey(map.release, map.file), map);
    }
  }

  /** The map that serves a frame: first by debug id, then by release and url or name, then the newest without a release. */
  choose(file: string, release: string | null, debugId: string | null): SourceMapRecord | null {
    const url = withoutQuery(file);
    const name = fileName(url);
    const path = pathOf(url);
    const ofRelease = (of: string | null): SourceMapRecord | undefined =>
      this.#newest.get(urlKey(of, url)) ?? this.#newest.get(urlKey(of, path)) ?? this.#newest.get(fileKey(of, name));
    const byDebugId = debugId === null ? undefined : this.#newest.get(debugKey(debugId));
    const byRelease = release === null ? undefined : ofRelease(release);
    const chosen = byDebugId ?? byRelease ?? ofRelease(null);
    // A map of that name, but of another build: its positions would be wrong.
    if (chosen && debugId !== null && chosen.debug_id !== null && !isSameId(chosen.debug_id, debugId)) return null;
    return chosen ?? null;
  }
}

const indexes = new WeakMap<readonly SourceMapRecord[], MapIndex>();

/** The index of a list of maps, made once a list. */
export function indexMaps(maps: readonly SourceMapRecord[]): MapIndex {
  let index = indexes.get(maps);
  if (!index) indexes.set(maps, (index = new MapIndex(maps)));
  return index;
}

/** The name a map or a script has, whatever folder or host it comes from. */
export function fileName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

/** `~/path` stands for any host, and so does a path alone. */
function urlForms(url: string): string[] {
  const plain = withoutQuery(url);
  if (plain.startsWith('~/')) return [plain.slice(1)];
  return [plain];
}

function withoutQuery(url: string): string {
  const end = url.search(/[?#]/);
  return end < 0 ? url : url.slice(0, end);
}

function pathOf(url: string): string {
  const scheme = url.indexOf('://');
  if (scheme < 0) return url;
  const path = url.indexOf('/', scheme + 3);
  return path < 0 ? '/' : url.slice(path);
}

function isSameId(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

const debugKey = (id: string): string => `debug ${id.toLowerCase()}`;
const urlKey = (release: string | null, url: string): string => `url ${JSON.stringify(release)} ${url}`;
const fileKey = (release: string | null, file: string): string => `file ${JSON.stringify(release)} ${file}`;
