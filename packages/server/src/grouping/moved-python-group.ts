import { areDeployments, baseName } from '../fingerprint/python-path.ts';
import type { PythonLocation } from '../fingerprint/python-strategy.ts';
import type { Transaction, TransactionGroup } from '../store/log/transaction.ts';
import type { CodeLocation } from '../store/records/grouping-records.ts';
import { codeHash, codeId } from '../store/records/code-ids.ts';
import type { StorageBudget } from '../store/storage-budget.ts';
import type { AliasedGroup } from './group-alias.ts';

/**
 * The maximum number of files and of errors that are remembered of a project. Further ones are not found after a move.
 */
const maxCodeFiles = 2_000;
const maxCodeLocations = 20_000;
/** Files that are remembered of a report, and the longest path: a client must not fill the log with them. */
const maxFilesOfReport = 20;
const maxPathChars = 300;
/** The number of releases that are remembered of a file: the newest ones. */
const maxReleasesOfFile = 12;
const maxDeployments = 8;
const maxLocations = 16;

/**
 * Returns the group that a Python error had before its file was moved or renamed, or before an interpreter reported the
 * class of its method, and remembers the new location of the group. Returns undefined if no group matches.
 *
 * Without a source map, only the errors show what a release contains. Two files are the same if no release has both,
 * and if the errors have the same function and text, and also the same file name, caller or line of code. The result of
 * this comparison is not stored, because a release may turn out to have both files.
 */
export function findMovedPythonGroup(
  transaction: Transaction,
  projectId: number,
  location: PythonLocation,
): AliasedGroup | undefined {
  const known = transaction.get('code_locations', codeId(projectId, location.movable))?.locations ?? [];
  const mayBeSameFile = (file: string, other: string): boolean =>
    hasNoCommonRelease(transaction, projectId, file, other);
  let best: { group: TransactionGroup; opened: CodeLocation; score: number } | undefined;
  // A group was opened at the first of its locations.
  for (const opened of known.filter(({ group_id }, at) => known.findIndex((one) => one.group_id === group_id) === at)) {
    const group = transaction.group(opened.group_id);
    const locations = known.filter(({ group_id }) => group_id === opened.group_id);
    const score = group ? locationSimilarity(location, locations, mayBeSameFile) : 0;
    if (group && score > (best?.score ?? 0)) best = { group, opened, score };
  }
  if (!best) return undefined;
  recordLocation(transaction, projectId, location, best.opened);
  return { group: best.group, originalFingerprint: best.opened.born };
}

/** Remembers which files of the app a release has, within the limits above and the storage budget of the project. */
export function recordFiles(
  transaction: Transaction,
  projectId: number,
  { files }: PythonLocation,
  { release, storageBudget }: { release: string | null; storageBudget: StorageBudget },
): void {
  const seen = codeHash(release ?? '');
  for (const path of files.slice(0, maxFilesOfReport)) {
    if (path.length > maxPathChars) continue;
    const id = fileId(projectId, path);
    const known = transaction.get('code_files', id)?.paths ?? [];
    const releases = known.find((file) => file.path === path)?.releases ?? [];
    if (releases.includes(seen)) continue;
    const others = known.filter((file) => file.path !== path);
    const isFull = known.length === 0 && transaction.model.tables.code_files.of(projectId).length >= maxCodeFiles;
    if (isFull || others.length >= maxDeployments) continue;
    const paths = [...others, { path, releases: [...releases, seen].slice(-maxReleasesOfFile) }];
    if (storageBudget.spend(projectId, JSON.stringify(paths).length))
      transaction.put('code_files', { id, project_id: projectId, paths });
  }
}

/**
 * Returns how similar a location is to those of a group. Returns 0 if one of them contradicts the location, or if none
 * is similar.
 */
function locationSimilarity(
  location: PythonLocation,
  locations: readonly CodeLocation[],
  mayBeSameFile: (file: string, other: string) => boolean,
): number {
  let best = 0;
  for (const known of locations) {
    if (!isSameName(location.function, known.function)) return 0;
    const isHere = known.file === location.file || areDeployments(known.file, location.file);
    if (!isHere && !mayBeSameFile(known.file, location.file)) return 0;
    best = Math.max(best, isHere ? 10 : evidence(location, known));
  }
  return best;
}

/** Returns whether two names may be of one function. One of them may lack the class. */
function isSameName(name: string, other: string): boolean {
  return name === other || name.endsWith(`.${other}`) || other.endsWith(`.${name}`);
}

function evidence(location: PythonLocation, known: CodeLocation): number {
  const isSameCode = location.code !== '' && known.code === codeHash(location.code);
  const isSameCaller = location.caller !== '' && known.caller === location.caller;
  return 3 * Number(baseName(known.file) === baseName(location.file)) + 2 * Number(isSameCode) + Number(isSameCaller);
}

/** Returns whether releases of both files are known, and none of them has both. */
function hasNoCommonRelease(transaction: Transaction, projectId: number, path: string, other: string): boolean {
  // Files with the same end may be deployments of a third one. Then only their own releases tell them apart.
  const includesDeployments = fileId(projectId, path) !== fileId(projectId, other);
  const releases = releasesOf(transaction, projectId, path, includesDeployments);
  const others = releasesOf(transaction, projectId, other, includesDeployments);
  return releases.length > 0 && others.length > 0 && !releases.some((release) => others.includes(release));
}

/** Returns the releases that have a file. With `includesDeployments`, counts those of its other deployments too. */
function releasesOf(
  transaction: Transaction,
  projectId: number,
  path: string,
  includesDeployments: boolean,
): readonly string[] {
  const known = transaction.get('code_files', fileId(projectId, path))?.paths ?? [];
  return known.flatMap((file) =>
    file.path === path || (includesDeployments && areDeployments(file.path, path)) ? file.releases : [],
  );
}

/** Deployments of a file share the end of their path. */
function fileId(projectId: number, path: string): string {
  return `${projectId} ${path.split('/').slice(-2).join('/')}`;
}

/** Remembers where an error of a group occurred, unless the group has enough locations. */
export function recordLocation(
  transaction: Transaction,
  projectId: number,
  { movable, file, function: name, caller, code }: PythonLocation,
  { group_id, born }: { group_id: number; born: string },
): void {
  const id = codeId(projectId, movable);
  // Locations of deleted groups are dropped here.
  const locations = (transaction.get('code_locations', id)?.locations ?? []).filter((known) =>
    transaction.group(known.group_id),
  );
  const isKnown = locations.some(
    (known) => known.group_id === group_id && known.file === file && known.function === name,
  );
  const isFull =
    locations.length === 0 && transaction.model.tables.code_locations.of(projectId).length >= maxCodeLocations;
  if (isKnown || isFull || locations.length >= maxLocations) return;
  const added = { group_id, born, file, function: name, caller, code: codeHash(code) };
  transaction.put('code_locations', { id, project_id: projectId, locations: [...locations, added] });
}
