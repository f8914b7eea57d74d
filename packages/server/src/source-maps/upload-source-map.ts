import type { SourceMap } from '@service/protocol';
import type { Caller } from '../accounts/caller.ts';
import { commitAsCaller } from '../accounts/commit-as-caller.ts';
import { ProblemError } from '../problem.ts';
import type { Services } from '../services.ts';
import type { TransactionBody } from '../store/log/ledger.ts';
import type { ProjectRecord, SourceMapRecord } from '../store/records/records.ts';
import { findEqualMap, unusedBlobs } from '../store/shared-blobs.ts';
import { validationFailed } from '../validation/validation.ts';
import { fileName } from '../symbolication/project-maps.ts';
import { commitWithRenames } from './record-renames.ts';
import { recordStaleCulprits } from './stale-culprits.ts';
import { removeBlob } from './receive-source-map.ts';
import type { StoredIndex } from '../symbolication/store-index.ts';
import { projectGone } from '../projects/projects.ts';

const fileNameChars = 255;

export interface SourceMapUpload {
  /** As the client named it: `app-C3nU.js.map`. */
  fileName: string | null;
  received: StoredIndex;
  release: string | null;
  url: string | null;
}

/**
 * Keeps a received map, durable and ready to use. The same map again takes the place, and the id, of the earlier one.
 * Throws `validation_failed` if its name is too long; then it is forgotten.
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
      putRecord(project, upload),
      (decide) => {
        mayBeThere = true;
        return commitAsCaller(services, caller, decide);
      },
    );
    for (const blob of unused) await removeBlob(services, blob);
    return { map: toSourceMap(record), isNew };
  } catch (error) {
    // Refused, or its project or whoever sent it is gone meanwhile. If it is the storage that failed, the entry may be there.
    if (!mayBeThere || (error instanceof ProblemError && error.code !== 'storage_unavailable'))
      await removeBlob(services, upload.received.blob);
    throw error;
  }
}

interface Put {
  record: SourceMapRecord;
  isNew: boolean;
  /** Blobs that nobody needs any more. */
  unused: string[];
}

function putRecord(
  project: ProjectRecord,
  { fileName: uploaded, release, url, received }: SourceMapUpload,
): TransactionBody<Put> {
  const { hash, size, sources, file, debugId } = received.map;
  const fields = { file: scriptName([uploaded, url, file]), release, url, debug_id: debugId };
  return (transaction) => {
    if (!transaction.get('projects', project.id)) throw projectGone();
    const equal = findEqualMap(transaction, hash);
    const before = transaction.mapsOf(project.id).findLast((map) => isSameMap(map, fields));
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

/** The fields an upload is answered with. */
export function toSourceMap({
  id,
  file,
  release,
  url,
  debug_id,
  size,
  sources,
  created_at,
}: SourceMapRecord): SourceMap {
  return { id, file, release, url, debug_id, size, sources, created_at };
}

type MapKey = Pick<SourceMapRecord, 'file' | 'release' | 'url' | 'debug_id'>;

/**
 * Compares maps by debug id, else by release and URL, else by release and file name. A map that has the more exact of these
 * is never replaced by one that lacks it: their file names may be equal while their builds or scripts are not.
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
