import type { SourceMap } from '@service/protocol';
import type { Caller } from '../accounts/caller.ts';
import { commitAsCaller } from '../accounts/commit-as-caller.ts';
import { ProblemError } from '../problem.ts';
import type { Services } from '../services.ts';
import type { TransactionBody } from '../store/log/ledger.ts';
import type { ProjectRecord } from '../store/records/project-records.ts';
import type { SourceMapRecord } from '../store/records/source-map-records.ts';
import { findEqualMap, unusedBlobs } from '../store/shared-blobs.ts';
import { validationFailed } from '../validation/validation.ts';
import { fileName } from '../symbolication/map-lookup.ts';
import { commitWithRenames } from './record-renames.ts';
import { assertMapRoom } from './source-map-usage.ts';
import { recordStaleCulprits } from './record-stale-culprits.ts';
import { removeBlob } from './remove-blob.ts';
import type { StoredIndex } from '../symbolication/indexing/store-index.ts';
import { projectNotFound } from '../projects/projects.ts';

const fileNameChars = 255;

export interface SourceMapUpload {
  /** The file name that the client sent: `app-C3nU.js.map`. */
  fileName: string | null;
  received: StoredIndex;
  release: string | null;
  url: string | null;
  /** Used if the map itself has no debug id. */
  debugId?: string | null;
}

/**
 * Records a received map. Resolves once it is durable and usable. The same map again replaces the earlier one and keeps
 * its id. Rejects with `validation_failed` if its name is too long, with `conflict` if the team has no room for it, and
 * as `commitWithRenames` does. Then its blob is removed, unless the storage may have recorded it.
 */
export async function uploadSourceMap(
  services: Services,
  caller: Caller,
  project: ProjectRecord,
  upload: SourceMapUpload,
): Promise<{ map: SourceMap; isNew: boolean }> {
  let mayBeThere = false;
  try {
    const { record, isNew, unused } = await commitWithRenames(
      services,
      { projectId: project.id, release: upload.release },
      putRecord(services, project, upload),
      (body) => {
        mayBeThere = true;
        return commitAsCaller(services, caller, body);
      },
    );
    for (const blob of unused) await removeBlob(services, blob);
    return { map: toSourceMap(record), isNew };
  } catch (error) {
    // The upload was rejected, or its project or caller was removed in the meantime. If the storage failed, the entry
    // may exist, so the blob stays.
    if (!mayBeThere || (error instanceof ProblemError && error.code !== 'storage_unavailable'))
      await removeBlob(services, upload.received.blob);
    throw error;
  }
}

interface Put {
  record: SourceMapRecord;
  isNew: boolean;
  /** Blobs that are no longer used. */
  unused: string[];
}

function putRecord(
  services: Services,
  project: ProjectRecord,
  { fileName: uploaded, release, url, received, debugId: givenDebugId = null }: SourceMapUpload,
): TransactionBody<Put> {
  const { hash, size, sources, file, debugId } = received.map;
  const fields = { file: scriptName([uploaded, url, file]), release, url, debug_id: debugId ?? givenDebugId };
  return (transaction) => {
    if (!transaction.get('projects', project.id)) throw projectNotFound();
    const equal = findEqualMap(transaction, hash);
    const before = transaction.mapsOf(project.id).findLast((map) => isSameMap(map, fields));
    assertMapRoom(services, project.team_id, { size, index_bytes: received.bytes }, before);
    const after: SourceMapRecord = {
      id: before?.id ?? transaction.nextId('source_maps'),
      project_id: project.id,
      ...fields,
      size,
      sources,
      created_at: new Date(transaction.now).toISOString(),
      last_used_at: before?.last_used_at ?? null,
      hash,
      blob: equal?.blob ?? received.blob,
      index_bytes: equal?.index_bytes ?? received.bytes,
      groups_before: transaction.lastId('groups'),
    };
    recordStaleCulprits(transaction, after);
    transaction.put('source_maps', after);
    return {
      record: after,
      isNew: !before,
      unused: unusedBlobs(transaction, before ? [before, received] : [received]),
    };
  };
}

/** Returns the fields of the response to an upload. */
export function toSourceMap({
  id,
  file,
  release,
  url,
  debug_id,
  size,
  sources,
  hash = null,
  created_at,
}: Omit<SourceMapRecord, 'hash'> & { hash?: string | null }): SourceMap {
  return { id, file, release, url, debug_id, size, sources, hash, created_at };
}

type MapKey = Pick<SourceMapRecord, 'file' | 'release' | 'url' | 'debug_id'>;

/**
 * Returns whether an upload replaces a map. Compares by debug id, else by release and URL, else by release and file
 * name. A map with a more exact key is never replaced by one without it: equal file names may belong to different
 * builds or scripts.
 */
function isSameMap(known: MapKey, uploaded: MapKey): boolean {
  if (uploaded.debug_id !== null) return known.debug_id?.toLowerCase() === uploaded.debug_id.toLowerCase();
  if (known.debug_id !== null || known.release !== uploaded.release || known.url !== uploaded.url) return false;
  return uploaded.url !== null || known.file === uploaded.file;
}

function scriptName(paths: readonly (string | null)[]): string {
  const names = paths.map((path) => fileName(path ?? '').replace(/\.map$/, ''));
  const name = names.find(Boolean) ?? 'unnamed';
  if (name.length > fileNameChars)
    throw validationFailed([{ path: 'file', detail: `expected a filename of at most ${fileNameChars} characters` }]);
  return name;
}
