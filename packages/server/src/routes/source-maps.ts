import { apiPrefix, limits, paths, SourceMapQuery } from '@service/protocol';
import type { H3, H3Event } from 'h3';
import { assertMayWrite } from '../accounts/caller.ts';
import { authenticate } from '../http/bearer.ts';
import { readForm } from '../http/multipart.ts';
import { pathId, readNoQuery, readQuery } from '../http/query.ts';
import { findProject } from '../projects/projects.ts';
import type { Services } from '../services.ts';
import { deleteSourceMap, findSourceMap, listSourceMaps } from '../sources/source-maps.ts';
import { uploadSourceMap } from '../sources/upload-source-map.ts';
import type { ProjectRecord } from '../store/records.ts';
import { validationFailed } from '../validation.ts';

/** Source maps of a project. */
export function sourceMapRoutes(app: H3, services: Services): void {
  app.post(apiPrefix + paths.sourceMaps, async (event) => {
    const project = await findReadable(event, true);
    const form = await readForm(event, { file: 'file', fileBytes: limits.sourceMapBytes, fields: ['release', 'url'] });
    const release = textField(form.fields, 'release', limits.releaseChars);
    const url = textField(form.fields, 'url', limits.urlChars);
    const { map, isNew } = await uploadSourceMap(services, project, {
      fileName: form.fileName,
      bytes: form.bytes,
      release,
      url,
    });
    event.res.status = isNew ? 201 : 200;
    return map;
  });

  app.get(apiPrefix + paths.sourceMaps, async (event) => {
    const project = await findReadable(event);
    return listSourceMaps(services, project, readQuery(event, SourceMapQuery));
  });

  app.delete(apiPrefix + paths.sourceMap, async (event) => {
    const caller = await authenticate(services, event);
    const project = findProject(services, caller, pathId(event, 'id'));
    const map = findSourceMap(services, project, pathId(event, 'map_id'));
    assertMayWrite(caller);
    readNoQuery(event);
    await deleteSourceMap(services, map);
    event.res.status = 204;
    return null;
  });

  async function findReadable(event: H3Event, forWriting = false): Promise<ProjectRecord> {
    const caller = await authenticate(services, event);
    const project = findProject(services, caller, pathId(event, 'id'));
    if (forWriting) assertMayWrite(caller);
    return project;
  }
}

/** A text part of a form; blank is as absent. */
function textField(fields: ReadonlyMap<string, string>, name: string, limit: number): string | null {
  const value = fields.get(name)?.trim() ?? '';
  if (value.length > limit) throw validationFailed([{ path: name, detail: `expected at most ${limit} characters` }]);
  return value === '' ? null : value;
}
