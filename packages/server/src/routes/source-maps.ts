import { apiPrefix, limits, paths, SourceMapQuery } from '@service/protocol';
import type { H3 } from 'h3';
import { assertMayWrite } from '../accounts/caller.ts';
import { assertForm, readForm, type FormRules } from '../http/multipart.ts';
import { requireProject } from '../http/require-project.ts';
import { pathId, assertNoQuery, readQuery } from '../http/query.ts';
import { setRequestTimeout } from '../http/request-timeout.ts';
import type { Services } from '../services.ts';
import { receiveSourceMap, removeBlob } from '../source-maps/receive-source-map.ts';
import type { StoredIndex } from '../symbolication/indexing/store-index.ts';
import { deleteSourceMap, findSourceMap, listSourceMaps } from '../source-maps/source-maps.ts';
import { Semaphore } from '../jobs/semaphore.ts';
import { uploadSourceMap } from '../source-maps/upload-source-map.ts';

const uploadTimeMs = 300_000;
/** Uploads that are received or wait to be indexed. Each holds some hundred kilobytes of memory. */
const maxUploads = 36;

/** Source maps of a project. */
export function sourceMapRoutes(app: H3, services: Services): void {
  const uploads = new Semaphore(maxUploads, 0);
  const form: FormRules<StoredIndex> = {
    file: 'file',
    fileBytes: limits.sourceMapBytes,
    fields: { release: limits.releaseChars, url: limits.urlChars },
    process: (pieces) => receiveSourceMap(services, pieces),
    discard: ({ blob }) => removeBlob(services, blob),
    blocksOthers: (bytes) => uploads.isFull || services.mapIndexer.hasWaiters(bytes),
  };

  app.post(apiPrefix + paths.sourceMaps, async (event) => {
    const { caller, project } = await requireProject(services, event);
    assertMayWrite(caller);
    assertForm(event, form);
    setRequestTimeout(event, uploadTimeMs);
    const { map, isNew } = await uploads.run(async () => {
      const { fileName, file, fields } = await readForm(event, form);
      const [release = null, url = null] = [fields.get('release'), fields.get('url')];
      return uploadSourceMap(services, caller, project, { fileName, received: file, release, url });
    });
    event.res.status = isNew ? 201 : 200;
    return map;
  });

  app.get(apiPrefix + paths.sourceMaps, async (event) => {
    const { project } = await requireProject(services, event);
    return listSourceMaps(services, project, readQuery(event, SourceMapQuery));
  });

  app.delete(apiPrefix + paths.sourceMap, async (event) => {
    const { caller, project } = await requireProject(services, event);
    const map = findSourceMap(services, project, pathId(event, 'map_id'));
    assertMayWrite(caller);
    assertNoQuery(event);
    await deleteSourceMap(services, caller, map);
    event.res.status = 204;
    return null;
  });
}
