import { LRUCache } from 'lru-cache';
import { packageOf } from '../fingerprint/file-path.ts';
import { ProblemError } from '../problem.ts';
import type { Services } from '../services.ts';
import { Transaction } from '../store/log/transaction.ts';
import type { TransactionBody } from '../store/log/ledger.ts';
import type { SourceMapRecord } from '../store/records/source-map-records.ts';
import type { Store } from '../store/store.ts';
import { findRenamed } from './find-renamed.ts';
import { DamagedIndexError, UnreadableIndexError } from '../symbolication/map-index/damaged-index-error.ts';
import type { MapSource } from '../symbolication/map-reader.ts';
import { Semaphore } from '../jobs/semaphore.ts';

/** The number of latest releases that are searched for the previous one: a project may contain several apps. */
const maxComparedReleases = 5;
/** A release with more files is not compared. */
const maxFilesPerRelease = 20_000;
/**
 * The maximum number of maps of a release that one comparison reads. A release with more uncached maps is not compared.
 */
const maxMapsRead = 500;
/** The number of sources after which the event loop may run other work. */
const sourcesPerYield = 500;
/** The size of the cache of compared releases, and the maximum size of the files of one release. */
const knownBytes = 16 * 1024 * 1024;
const maxFilesBytes = 12 * 1024 * 1024;

/** The app's own files of a release by path. */
type ReleaseFiles = ReadonlyMap<string, MapSource>;

/** The files read of a release. When another map is uploaded, only that map has to be read. */
interface KnownRelease {
  /** Blobs of its maps. */
  blobs: ReadonlySet<string>;
  /** Null if there are too many. */
  files: ReleaseFiles | null;
  filesBytes: number;
}

/** The cached releases of a store. The semaphore makes each comparison see the result of the previous one. */
class Releases {
  readonly semaphore = new Semaphore(1);
  readonly known = new LRUCache<string, KnownRelease>({
    maxSize: knownBytes,
    sizeCalculation: ({ blobs, filesBytes }) => 500 + blobs.size * 100 + filesBytes,
  });
}

const releasesOfStores = new WeakMap<Store, Releases>();

/**
 * Commits a transaction on a map of a release, and in the same batch the files that were renamed since the previous
 * release. So every report sees both or neither, and errors in renamed files stay in their groups. Rejects as `commit`
 * does, or with `storage_unavailable` if the releases cannot be compared now.
 */
export async function commitWithRenames<Result>(
  services: Services,
  { projectId, release }: { projectId: number; release: string | null },
  body: TransactionBody<Result>,
  commit: (body: TransactionBody<Result>) => Promise<Result>,
): Promise<Result> {
  if (release === null) return commit(body);
  return releasesIn(services).semaphore.run(async () => {
    const renamed = await lookForRenames(services, projectId, release, body);
    return commit((transaction) => {
      const result = body(transaction);
      if (renamed) putRenames(transaction, projectId, release, renamed);
      return result;
    });
  });
}

/**
 * Returns the former path of each renamed file, or null if there is no earlier release or the comparison failed. After
 * a failure, a renamed file counts as new. Rejects with `storage_unavailable` if the releases cannot be compared now.
 */
async function lookForRenames(
  services: Services,
  projectId: number,
  release: string,
  body: TransactionBody<unknown>,
): Promise<ReadonlyMap<string, string> | null> {
  // A trial run gives the maps that the project will have.
  const transaction = new Transaction(services.store.model, services.now());
  body(transaction);
  try {
    return await compareReleases(services, projectId, release, transaction.mapsOf(projectId));
  } catch (error) {
    if (error instanceof ProblemError) throw error;
    services.log.warn({ err: error, project_id: projectId, release }, 'the detection of renamed files failed');
    return null;
  }
}

function releasesIn({ store }: Services): Releases {
  let releases = releasesOfStores.get(store);
  if (!releases) releasesOfStores.set(store, (releases = new Releases()));
  return releases;
}

async function compareReleases(
  services: Services,
  projectId: number,
  release: string,
  maps: readonly SourceMapRecord[],
): Promise<ReadonlyMap<string, string> | null> {
  const mapsOfReleases = byRelease(maps);
  const order = [...mapsOfReleases.keys()];
  const earlier = order.slice(0, Math.max(0, order.indexOf(release))).slice(-maxComparedReleases);
  if (earlier.length === 0) return null;
  const filesOfRelease = (name: string): Promise<ReleaseFiles> =>
    filesOf(services, `${projectId} ${name}`, mapsOfReleases.get(name) ?? []);
  const files = await filesOfRelease(release);
  const before = await nearest(files, earlier.toReversed(), filesOfRelease);
  const renamed = await findRenamed(missingFrom(files, before), missingFrom(before, files));
  // Two apps of a project may share some copied files. They are not releases of one app.
  if (!areAlike(files, before, sharedBy(files, before) + renamed.size)) renamed.clear();
  return renamed;
}

/** Returns the maps of each release, in the order of the first uploads. */
function byRelease(maps: readonly SourceMapRecord[]): Map<string, SourceMapRecord[]> {
  const releases = new Map<string, SourceMapRecord[]>();
  for (const map of maps) {
    if (map.release === null) continue;
    const known = releases.get(map.release);
    if (known) known.push(map);
    else releases.set(map.release, [map]);
  }
  return releases;
}

async function filesOf(services: Services, key: string, maps: readonly SourceMapRecord[]): Promise<ReleaseFiles> {
  const { known } = releasesIn(services);
  // A map of an older version has no index yet. Building one takes longer than an upload may wait.
  const indexed = maps.filter(({ index_bytes }) => index_bytes !== undefined);
  const blobs = new Set(indexed.map(({ blob }) => blob));
  const read = known.get(key);
  // The files of a replaced or deleted map must not stay in the cache.
  const isPart = read !== undefined && [...read.blobs].every((blob) => blobs.has(blob));
  const missing = isPart ? indexed.filter(({ blob }) => !read.blobs.has(blob)) : indexed;
  if (isPart && (missing.length === 0 || read.files === null)) return read.files ?? noFiles;
  if (missing.length > maxMapsRead) return noFiles;
  const files = new Map(isPart ? read.files : noFiles);
  let filesBytes = isPart ? read.filesBytes : 0;
  for (const map of missing) {
    for (const [at, source] of (await sourcesOf(services, map)).entries()) {
      if (at % sourcesPerYield === sourcesPerYield - 1) await new Promise(setImmediate);
      if (source.isIgnored || packageOf(source.path) !== null) continue;
      if (!files.has(source.path)) filesBytes += 400 + 2 * source.path.length;
      files.set(source.path, source);
    }
    if (files.size > maxFilesPerRelease || filesBytes > maxFilesBytes) {
      // Cached because counting again would take the same time.
      known.set(key, { blobs, files: null, filesBytes: 0 });
      return noFiles;
    }
    await new Promise(setImmediate);
  }
  known.set(key, { blobs, files, filesBytes });
  return files;
}

const noFiles: ReleaseFiles = new Map();

/** Returns no sources for a damaged map, which `MapReader` logs. The sources of other maps can still be compared. */
function sourcesOf({ mapReader }: Services, map: SourceMapRecord): Promise<readonly MapSource[]> {
  return mapReader.sourcesOf(map).catch((error: unknown) => {
    if (error instanceof DamagedIndexError && !(error instanceof UnreadableIndexError)) return [];
    throw error;
  });
}

/** Returns the files of the newest release of the same app, or else of the release that shares the most files. */
async function nearest(
  files: ReleaseFiles,
  earlier: readonly string[],
  filesOfRelease: (name: string) => Promise<ReleaseFiles>,
): Promise<ReleaseFiles> {
  let best: ReleaseFiles = new Map();
  let maxShared = -1;
  for (const name of earlier) {
    const candidate = await filesOfRelease(name);
    const shared = sharedBy(files, candidate);
    if (shared > maxShared) [best, maxShared] = [candidate, shared];
    if (shared > 0 && areAlike(files, candidate, shared)) break;
    await new Promise(setImmediate);
  }
  return best;
}

function sharedBy(files: ReleaseFiles, others: ReleaseFiles): number {
  let shared = 0;
  for (const path of files.keys()) if (others.has(path)) shared++;
  return shared;
}

/** Returns whether at least half of the files of the smaller release exist in the other. */
function areAlike(files: ReleaseFiles, others: ReleaseFiles, found: number): boolean {
  return 2 * found >= Math.min(files.size, others.size);
}

/** Returns the missing files sorted by path, so that the order of uploads does not matter. */
function missingFrom(files: ReleaseFiles, others: ReleaseFiles): MapSource[] {
  const missing = [...files.keys()].filter((path) => !others.has(path)).toSorted();
  return missing.map((path) => files.get(path) as MapSource);
}

function putRenames(
  transaction: Transaction,
  projectId: number,
  release: string,
  renamed: ReadonlyMap<string, string>,
): void {
  const id = `${projectId} ${release}`;
  const known = transaction.model.renamesOf(projectId);
  const files = Array.from(renamed, ([path, before]): [string, string] => [path, known.get(before) ?? before]).filter(
    // A file that has its first name again is not renamed.
    ([path, oldest]) => path !== oldest,
  );
  if (files.length > 0) transaction.put('renames', { id, project_id: projectId, files });
  else if (transaction.get('renames', id)) transaction.remove('renames', id);
}
