import type { ListedSourceMap, Page, SourceMapQuery } from '@service/protocol';
import type { Caller } from '../accounts/caller.ts';
import { commitAsCaller } from '../accounts/commit-as-caller.ts';
import { paginate } from '../validation/paginate.ts';
import { ProblemError } from '../problem.ts';
import type { Services } from '../services.ts';
import type { ProjectRecord } from '../store/records/project-records.ts';
import type { SourceMapRecord } from '../store/records/source-map-records.ts';
import { unusedBlobs } from '../store/shared-blobs.ts';
import { removeBlob } from './remove-blob.ts';
import { toSourceMap } from './upload-source-map.ts';

/** Returns the maps of a project, newest first. */
export function listSourceMaps(
  { store }: Services,
  project: ProjectRecord,
  query: SourceMapQuery,
): Page<ListedSourceMap> {
  const hashes = query.hash ? new Set(query.hash) : null;
  const maps = store.model
    .mapsOf(project.id)
    .filter((map) => query.release === undefined || map.release === query.release)
    .filter((map) => hashes === null || (map.hash !== undefined && hashes.has(map.hash)))
    .toSorted((a, b) => (a.created_at < b.created_at ? 1 : a.created_at > b.created_at ? -1 : b.id - a.id));
  return paginate(maps, query, (map) => ({ ...toSourceMap(map), last_used_at: map.last_used_at }));
}

/** Throws `source_map_not_found` if the project has no map with this id. */
export function findSourceMap({ store }: Services, project: ProjectRecord, id: number): SourceMapRecord {
  const map = store.model.tables.source_maps.get(id);
  if (map?.project_id !== project.id) throw sourceMapNotFound();
  return map;
}

export async function deleteSourceMap(services: Services, caller: Caller, { id }: SourceMapRecord): Promise<void> {
  const unused = await commitAsCaller(services, caller, (transaction) => {
    const map = transaction.get('source_maps', id);
    if (!map) throw sourceMapNotFound();
    transaction.remove('source_maps', id);
    return unusedBlobs(transaction, [map]);
  });
  for (const blob of unused) await removeBlob(services, blob);
}

function sourceMapNotFound(): ProblemError {
  return new ProblemError('source_map_not_found', 'There is no source map with this id in the project.');
}
