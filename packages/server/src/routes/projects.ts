import { apiPrefix, paths, ProjectInput } from '@service/protocol';
import type { H3 } from 'h3';
import { assertMayWrite } from '../accounts/permissions.ts';
import { authenticate } from '../http/authenticate.ts';
import { readBody, readNoBody } from '../http/body.ts';
import { requireProject, requireWritableProject } from '../http/require-project.ts';
import { assertNoQuery } from '../http/query.ts';
import {
  createProject,
  deleteProject,
  listProjects,
  readDroppedItems,
  readFacets,
  readProject,
  renameProject,
  rotateApiKey,
} from '../projects/projects.ts';
import { readTeamFacets } from '../projects/team-facets.ts';
import type { Services } from '../services.ts';

/** Projects and their keys. */
export function projectRoutes(app: H3, services: Services): void {
  app.post(apiPrefix + paths.projects, async (event) => {
    const caller = await authenticate(services, event);
    assertMayWrite(caller);
    const project = await createProject(services, caller, await readBody(event, ProjectInput));
    event.res.status = 201;
    return project;
  });

  app.get(apiPrefix + paths.projects, async (event) => {
    const caller = await authenticate(services, event);
    assertNoQuery(event);
    return listProjects(services, caller);
  });

  app.get(apiPrefix + paths.project, async (event) => {
    const { project } = await requireProject(services, event);
    assertNoQuery(event);
    return readProject(services, project);
  });

  app.put(apiPrefix + paths.project, async (event) => {
    const { caller, project } = await requireWritableProject(services, event);
    return renameProject(services, caller, project, await readBody(event, ProjectInput));
  });

  app.delete(apiPrefix + paths.project, async (event) => {
    const { caller, project } = await requireWritableProject(services, event);
    assertNoQuery(event);
    await deleteProject(services, caller, project);
    event.res.status = 204;
    return null;
  });

  app.post(apiPrefix + paths.rotateApiKey, async (event) => {
    const { caller, project } = await requireWritableProject(services, event);
    await readNoBody(event);
    return rotateApiKey(services, caller, project);
  });

  app.get(apiPrefix + paths.facets, async (event) => {
    const { project } = await requireProject(services, event);
    assertNoQuery(event);
    return readFacets(services, project);
  });

  app.get(apiPrefix + paths.droppedItems, async (event) => {
    const { project } = await requireProject(services, event);
    assertNoQuery(event);
    return readDroppedItems(services, project);
  });

  app.get(apiPrefix + paths.teamFacets, async (event) => {
    const caller = await authenticate(services, event);
    assertNoQuery(event);
    return readTeamFacets(services, caller);
  });
}
