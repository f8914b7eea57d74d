import { packageOf } from '../fingerprint/file-path.ts';
import type { Services } from '../services.ts';
import type { SourceMapRecord } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { findRenamed } from './find-renamed.ts';
import type { MapSource } from './maps.ts';
import { Turns } from './turns.ts';

/** The one before is that of these, the latest ones, with which a release has most files in common: a project may be several apps. */
const mostCompared = 5;
/** Of a release with more files none is compared. */
const mostFiles = 20_000;

/** Of each store one at a time: it takes into account what the one before it has found. */
const turnsOfStores = new WeakMap<Store, Turns>();

/** The app's own files of a release, by their paths. */
type Files = ReadonlyMap<string, MapSource>;

/**
 * Looks for files that the release of a map has under another name than the release before it, and remembers by which
 * name each was known first: its errors stay in their groups. Never rejects: then a renamed file is taken for a new one.
 */
export async function noteRenames(services: Services, map: SourceMapRecord): Promise<void> {
  const { project_id: projectId, release } = map;
  if (release === null) return;
  try {
    await turnsOf(services.store).take(() => compareReleases(services, projectId, release));
  } catch (error) {
    services.log.warn({ err: error, source_map_id: map.id }, 'renamed files were not looked for');
  }
}

function turnsOf(store: Store): Turns {
  let turns = turnsOfStores.get(store);
  if (!turns) turnsOfStores.set(store, (turns = new Turns(1)));
  return turns;
}

async function compareReleases(services: Services, projectId: number, release: string): Promise<void> {
  const releases = releasesOf(services, projectId);
  const order = [...releases.keys()];
  const earlier = order.slice(0, Math.max(0, order.indexOf(release))).slice(-mostCompared);
  // Of what is not there any more nothing can be said: what was found then stays.
  if (earlier.length === 0) return;
  const files = await filesOf(services, releases.get(release) ?? []);
  const before = await nearest(
    files,
    await Promise.all(earlier.map((name) => filesOf(services, releases.get(name) ?? []))),
  );
  const renamed = await findRenamed(missingFrom(files, before), missingFrom(before, files));
  // Two apps in one project, one of which has copied some files, are no releases of each other.
  const shared = [...files.keys()].filter((path) => before.has(path)).length;
  if (2 * (shared + renamed.size) < Math.min(files.size, before.size)) renamed.clear();
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

async function filesOf({ maps }: Services, uploaded: readonly SourceMapRecord[]): Promise<Files> {
  const files = new Map<string, MapSource>();
  for (const map of uploaded) {
    // One of an older storage, which has no index yet: to make it takes longer than an upload may wait.
    if (map.index_bytes === undefined) continue;
    for (const source of await maps.sourcesOf(map))
      if (!source.isIgnored && packageOf(source.path) === null) files.set(source.path, source);
    if (files.size > mostFiles) return new Map();
  }
  return files;
}

function nearest(files: Files, earlier: readonly Files[]): Files {
  let [best, mostShared] = [new Map() as Files, -1];
  for (const candidate of earlier) {
    let shared = 0;
    for (const path of candidate.keys()) if (files.has(path)) shared++;
    if (shared >= mostShared) [best, mostShared] = [candidate, shared];
  }
  return best;
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
