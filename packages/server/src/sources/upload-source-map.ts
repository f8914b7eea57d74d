import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { SourceMap } from '@service/protocol';
import { ProblemError } from '../problem.ts';
import type { Services } from '../services.ts';
import type { ProjectRecord, SourceMapRecord } from '../store/records.ts';
import { validationFailed } from '../validation.ts';
import { fileName } from './choose-map.ts';
import { checkSourceMap } from './parse-source-map.ts';
import { projectGone } from '../projects/projects.ts';

const fileNameChars = 255;

export interface SourceMapUpload {
  /** As the client named it: `app-C3nU.js.map`. */
  fileName: string | null;
  bytes: Uint8Array;
  release: string | null;
  url: string | null;
}

/** Keeps a map, durable and ready to use. The same map again takes the place, and the id, of the earlier one. */
export async function uploadSourceMap(
  { store, log }: Services,
  project: ProjectRecord,
  upload: SourceMapUpload,
): Promise<{ map: SourceMap; isNew: boolean }> {
  const facts = await checkSourceMap(upload.bytes);
  const file = scriptName(upload, facts.file);
  const blob = `map-${randomUUID()}`;
  await store.blobs.put(blob, await promisify(gzip)(upload.bytes));
  const committed = store.commit((draft) => {
    if (!draft.get('projects', project.id)) throw projectGone();
    const fields = { file, release: upload.release, url: upload.url, debug_id: facts.debugId };
    const before = draft.mapsOf(project.id).findLast((map) => isSameMap(map, fields));
    const after: SourceMapRecord = {
      id: before?.id ?? draft.nextId('source_maps'),
      project_id: project.id,
      ...fields,
      size: upload.bytes.byteLength,
      sources: facts.sources,
      created_at: new Date(draft.now).toISOString(),
      last_used_at: before?.last_used_at ?? null,
      blob,
    };
    draft.put('source_maps', after);
    return { record: after, replaced: before };
  });
  const { record, replaced } = await committed.catch(async (error: unknown) => {
    // Deleted meanwhile, and its maps with it. After any other failure the entry may be there.
    if (error instanceof ProblemError && error.code === 'project_not_found') await removeBlob({ store, log }, { blob });
    throw error;
  });
  if (replaced) await removeBlob({ store, log }, replaced);
  return { map: toSourceMap(record), isNew: !replaced };
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

/** A blob that stays behind is removed at the next start: nobody has to be told. */
export async function removeBlob(
  { store, log }: Pick<Services, 'store' | 'log'>,
  map: Pick<SourceMapRecord, 'blob'>,
): Promise<void> {
  await store.blobs
    .remove(map.blob)
    .catch((error: unknown) => log.warn({ err: error }, 'a source map was not removed'));
}

type Identity = Pick<SourceMapRecord, 'file' | 'release' | 'url' | 'debug_id'>;

function isSameMap(known: Identity, uploaded: Identity): boolean {
  if (uploaded.debug_id !== null) return known.debug_id?.toLowerCase() === uploaded.debug_id.toLowerCase();
  if (known.release !== uploaded.release) return false;
  return uploaded.url !== null ? known.url === uploaded.url : known.file === uploaded.file;
}

function scriptName({ fileName: uploaded, url }: SourceMapUpload, ownFile: string | null): string {
  const names = [uploaded, url, ownFile].map((name) => fileName(name ?? '').replace(/\.map$/, ''));
  const name = names.find(Boolean) ?? 'unnamed';
  if (name.length > fileNameChars)
    throw validationFailed([{ path: 'file', detail: `expected a filename of at most ${fileNameChars} characters` }]);
  return name;
}
