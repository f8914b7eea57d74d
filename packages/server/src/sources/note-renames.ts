import { LRUCache } from 'lru-cache';
import { packageOf } from '../fingerprint/file-path.ts';
import type { Services } from '../services.ts';
import type { SourceMapRecord } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { findRenamed } from './find-renamed.ts';
import type { MapSource } from './maps.ts';
import { Turns } from './turns.ts';

/** The one before is looked for among these, the latest ones: a project may be several apps. */
const mostCompared = 5;
/** Of a release with more files none is compared. */
const mostFiles = 20_000;
/** So many maps are read for an upload: a release that has more, of which nothing is known yet, is not compared. */
const mostMapsRead = 500;
/** Of releases that were compared. */
const knownBytes = 16 * 1024 * 1024;

/** The app's own files of a release, by their paths. */
type Files = ReadonlyMap<string, MapSource>;

/** What was read of a release: of the next map that comes only that one has to be read. */
interface KnownRelease {
  /** Blobs of its maps. */
  blobs: ReadonlySet<string>;
  files: Files;
}

/** What is known of the releases of a store. One look at a time takes into account what the one before it has found. */
class Releases {
  readonly turns = new Turns(1);
  readonly known = new LRUCache<string, KnownRelease>({
    maxSize: knownBytes,
    sizeCalculation: ({ blobs, files }) => 500 + blobs.size * 100 + files.size * 400,
  });
}

const releasesOfStores = new WeakMap<Store, Releases>();

/**
 * Looks for files that the release of a map has under another name than the release before it, and remembers by which
 * name each was known first: its errors stay in their groups. Never rejects: then a renamed file is taken for a new one.
 */
export async function noteRenames(services: Services, map: SourceMapRecord): Promise<void> {
  const { project_id: projectId, release } = map;
  if (release === null) return;
  try {
    await releasesIn(services).turns.take(() => compareReleases(services, projectId, release));
  } catch (error) {
    services.log.warn({ err: error, source_map_id: map.id }, 'renamed files were not looked for');
  }
}

function releasesIn({ store }: Services): Releases {
  let releases = releasesOfStores.get(store);
  if (!releases) releasesOfStores.set(store, (releases = new Releases()));
  return releases;
}

async function compareReleases(services: Services, projectId: number, release: string): Promise<void> {
  const mapsOfReleases = releasesOf(services, projectId);
  const order = [...mapsOfReleases.keys()];
  const earlier = order.slice(0, Math.max(0, order.indexOf(release))).slice(-mostCompared);
  // Of what is not there any more nothing can be said: what was found then stays.
  if (earlier.length === 0) return;
  const filesOfRelease = (name: string): Promise<Files> =>
    filesOf(services, `${projectId} ${name}`, mapsOfReleases.get(name) ?? []);
  const files = await filesOfRelease(release);
  const before = await nearest(files, earlier.toReversed(), filesOfRelease);
  const renamed = await findRenamed(missingFrom(files, before), missingFrom(before, files));
  // Two apps in one project, one of which has copied some files, are no releases of each other.
  if (!areAlike(files, before, sharedBy(files, before) + renamed.size)) renamed.clear();
  await remember(services, projectId, release, renamed);
}

/** The maps of each release, in the order in which the releases came. */
function releasesOf({ store }: Services, projectId: number): Map<string, SourceMapRecord[]> {
  const releases = new Map<string, SourceMapRecord[]>();
  for (const map of store.model.mapsOf(projectId)) {
    if (map.release === null) continue;
    const known = releases.get(map.release);
    if (known) known.push(map);
    else releases.set(map.release, [map]);
  }
  return releases;
}

async function filesOf(services: Services, key: string, maps: readonly SourceMapRecord[]): Promise<Files> {
  const { known } = releasesIn(services);
  // One of an older storage has no index yet: to make it takes longer than an upload may wait.
  const indexed = maps.filter(({ index_bytes }) => index_bytes !== undefined);
  const blobs = new Set(indexed.map(({ blob }) => blob));
  const read = known.get(key);
  // Of one that was replaced or deleted nothing may stay.
  const isPart = read !== undefined && [...read.blobs].every((blob) => blobs.has(blob));
  const missing = isPart ? indexed.filter(({ blob }) => !read.blobs.has(blob)) : indexed;
  if (isPart && missing.length === 0) return read.files;
  if (missing.length > mostMapsRead) return new Map();
  const files = new Map(isPart ? read.files : []);
  for (const map of missing) {
    for (const source of await services.maps.sourcesOf(map))
      if (!source.isIgnored && packageOf(source.path) === null) files.set(source.path, source);
    if (files.size > mostFiles) return new Map();
    await new Promise(setImmediate);
  }
  known.set(key, { blobs, files });
  return files;
}

/** Newest first, the first one that is of the same app; else the one that has most files in common. */
async function nearest(
  files: Files,
  earlier: readonly string[],
  filesOfRelease: (name: string) => Promise<Files>,
): Promise<Files> {
  let best: Files = new Map();
  let mostShared = -1;
  for (const name of earlier) {
    const candidate = await filesOfRelease(name);
    const shared = sharedBy(files, candidate);
    if (shared > mostShared) [best, mostShared] = [candidate, shared];
    if (shared > 0 && areAlike(files, candidate, shared)) break;
    await new Promise(setImmediate);
  }
  return best;
}

function sharedBy(files: Files, others: Files): number {
  let shared = 0;
  for (const path of files.keys()) if (others.has(path)) shared++;
  return shared;
}

/** Whether at least half of the files of the smaller one are found again in the other. */
function areAlike(files: Files, others: Files, found: number): boolean {
  return 2 * found >= Math.min(files.size, others.size);
}

/** In the order of their paths, which is the same in whatever order the maps came. */
function missingFrom(files: Files, others: Files): MapSource[] {
  const missing = [...files.keys()].filter((path) => !others.has(path)).toSorted();
  return missing.map((path) => files.get(path) as MapSource);
}

async function remember(
  { store }: Services,
  projectId: number,
  release: string,
  renamed: ReadonlyMap<string, string>,
): Promise<void> {
  const id = `${projectId} ${release}`;
  if (renamed.size === 0 && !store.model.tables.renames.get(id)) return;
  await store.commit((draft) => {
    if (!draft.get('projects', projectId)) return;
    const known = draft.model.renamesOf(projectId);
    const files = Array.from(renamed, ([path, before]): [string, string] => [path, known.get(before) ?? before]).filter(
      // One that has its first name again.
      ([path, oldest]) => path !== oldest,
    );
    if (files.length > 0) draft.put('renames', { id, project_id: projectId, files });
    else if (draft.get('renames', id)) draft.remove('renames', id);
  });
}
