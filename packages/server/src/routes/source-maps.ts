import { apiPrefix, limits, paths, PositionQuery, SourceMapQuery } from '@service/protocol';
import type { H3 } from 'h3';
import { assertMayWrite } from '../accounts/permissions.ts';
import { authenticate } from '../http/authenticate.ts';
import { assertMapRoom, sourceMapUsage } from '../source-maps/source-map-usage.ts';
import { assertForm, readForm } from '../http/multipart.ts';
import { requireProject } from '../http/require-project.ts';
import { assertNoQuery, readQuery } from '../http/query.ts';
import { pathId } from '../http/path-id.ts';
import { setRequestTimeout } from '../http/request-timeout.ts';
import type { UploadInProgress } from '../uploads/upload-budget.ts';
import type { Services } from '../services.ts';
import { receiveWhole } from '../uploads/receive-whole.ts';
import { receiveSourceMap } from '../source-maps/receive-source-map.ts';
import { removeBlob } from '../source-maps/remove-blob.ts';
import { deleteSourceMap, findSourceMap, listSourceMaps } from '../source-maps/source-maps.ts';
import { explainPosition } from '../symbolication/explain-resolution.ts';
import type { StoredIndex } from '../symbolication/indexing/store-index.ts';
import { uploadSourceMap } from '../source-maps/upload-source-map.ts';

const uploadTimeMs = 300_000;

/** Source maps of a project. */
export function sourceMapRoutes(app: H3, services: Services): void {
  const form = {
    file: 'file',
    fileBytes: limits.sourceMapBytes,
    fields: { release: limits.releaseChars, url: limits.urlChars },
  };

  app.post(apiPrefix + paths.sourceMaps, async (event) => {
    const { caller, project } = await requireProject(services, event);
    assertMayWrite(caller);
    assertForm(event, form);
    // The size is known only after the upload. A team without any room gets the error before the upload.
    assertMapRoom(services, caller.teamId, null);
    setRequestTimeout(event, uploadTimeMs);
    const upload = services.uploadBudget.begin(caller.teamId);
    try {
      const { fileName, file, fields } = await readForm(event, {
        ...form,
        process: (pieces) => receiveMap(services, upload, pieces),
        discard: ({ blob }) => removeBlob(services, blob),
        isBudgetFull: () => services.uploadBudget.isFull(caller.teamId),
        signal: upload.signal,
      });
      const [release = null, url = null] = [fields.get('release'), fields.get('url')];
      const received = { fileName, received: file, release, url };
      const { map, isNew } = await uploadSourceMap(services, caller, project, received);
      event.res.status = isNew ? 201 : 200;
      return map;
    } finally {
      upload.release();
    }
  });

  app.get(apiPrefix + paths.sourceMapUsage, async (event) => {
    const { teamId } = await authenticate(services, event);
    assertNoQuery(event);
    return sourceMapUsage(services, teamId);
  });

  app.get(apiPrefix + paths.sourceMaps, async (event) => {
    const { project } = await requireProject(services, event);
    return listSourceMaps(services, project, readQuery(event, SourceMapQuery));
  });

  app.get(apiPrefix + paths.positionResolution, async (event) => {
    const { project } = await requireProject(services, event);
    return explainPosition(services, project.id, readQuery(event, PositionQuery));
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

async function receiveMap(
  services: Services,
  upload: UploadInProgress,
  pieces: AsyncIterable<Uint8Array>,
): Promise<StoredIndex> {
  const whole = receiveWhole(upload, pieces);
  try {
    return await receiveSourceMap(services, () => whole.read(), upload.teamId);
  } finally {
    await whole.close();
  }
}
