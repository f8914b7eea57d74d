import type { Facets, Project, ProjectInput } from '@service/protocol';
import type { Caller } from '../accounts/caller.ts';
import { commitAsCaller } from '../accounts/commit-as-caller.ts';
import { createSecret } from '../credentials/secret.ts';
import { ProblemError } from '../problem.ts';
import type { Services } from '../services.ts';
import { unusedBlobs } from '../store/shared-blobs.ts';
import type { Transaction } from '../store/log/transaction.ts';
import type { ProjectRecord } from '../store/records/records.ts';

/** Makes a project of the caller's team. */
export async function createProject(services: Services, caller: Caller, { name }: ProjectInput): Promise<Project> {
  const project = await commitAsCaller(services, caller, (transaction) => {
    const created: ProjectRecord = {
      id: transaction.nextId('projects'),
      team_id: caller.teamId,
      name,
      api_key: createSecret('pk_'),
      created_at: new Date(transaction.now).toISOString(),
    };
    transaction.put('projects', created);
    return created;
  });
  return toProject(project);
}

/** Oldest first. */
export function listProjects({ store }: Services, caller: Caller): Project[] {
  return projectsOf(store.model.tables.projects.values(), caller).map(toProject);
}

/** Throws `project_not_found`, for another team's as for one that never was. */
export function findProject({ store }: Services, caller: Caller, id: number): ProjectRecord {
  const project = store.model.tables.projects.get(id);
  if (project?.team_id !== caller.teamId) throw projectGone();
  return project;
}

export async function renameProject(
  services: Services,
  caller: Caller,
  { id }: ProjectRecord,
  { name }: ProjectInput,
): Promise<Project> {
  const project = await commitAsCaller(services, caller, (transaction) => {
    const renamed = { ...existing(transaction, id), name };
    transaction.put('projects', renamed);
    return renamed;
  });
  return toProject(project);
}

/** Gives the project another key. The old one is refused from the moment of the answer. */
export async function rotateApiKey(
  services: Services,
  caller: Caller,
  { id }: ProjectRecord,
): Promise<Pick<Project, 'api_key'>> {
  const api_key = createSecret('pk_');
  await commitAsCaller(services, caller, (transaction) =>
    transaction.put('projects', { ...existing(transaction, id), api_key }),
  );
  return { api_key };
}

/** Removes the project with its groups, reports, maps and key. */
export async function deleteProject(services: Services, caller: Caller, { id }: ProjectRecord): Promise<void> {
  const { store, log } = services;
  const unused = await commitAsCaller(services, caller, (transaction) => {
    existing(transaction, id);
    const maps = transaction.mapsOf(id);
    transaction.removeProject(id);
    return unusedBlobs(transaction, maps);
  });
  // What a failure leaves behind is removed at the next start.
  await Promise.all(unused.map((blob) => store.blobs.remove(blob))).catch((error: unknown) =>
    log.warn({ err: error, project_id: id }, 'source maps of a deleted project were not removed'),
  );
}

export function readFacets({ store }: Services, { id }: ProjectRecord): Facets {
  return store.model.facets(id);
}

export function toProject({ id, name, api_key, created_at }: ProjectRecord): Project {
  return { id, name, api_key, created_at };
}

export function projectGone(): ProblemError {
  return new ProblemError('project_not_found', 'There is no project with this id.');
}

function projectsOf(projects: Iterable<ProjectRecord>, caller: Caller): ProjectRecord[] {
  return Array.from(projects).filter((project) => project.team_id === caller.teamId);
}

/** The project as it is now: it may have changed since the request began. */
function existing(transaction: Transaction, id: number): ProjectRecord {
  const project = transaction.get('projects', id);
  if (!project) throw projectGone();
  return project;
}
