import type { DroppedItems, Facets, Project, ProjectDetails, ProjectInput } from '@service/protocol';
import type { Caller } from '../accounts/caller.ts';
import { commitAsCaller } from '../accounts/commit-as-caller.ts';
import { createSecret } from '../credentials/secret.ts';
import { ProblemError } from '../problem.ts';
import type { Services } from '../services.ts';
import { unusedBlobs } from '../store/shared-blobs.ts';
import type { Transaction } from '../store/log/transaction.ts';
import type { ProjectRecord } from '../store/records/project-records.ts';
import { dsnOf } from './dsn.ts';

/** Creates a project in the caller's team. */
export async function createProject(services: Services, caller: Caller, { name }: ProjectInput): Promise<Project> {
  const project = await commitAsCaller(services, caller, (transaction) => {
    assertProjectLimit(transaction, caller.teamId, services.config.maxProjects);
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

/** Returns the projects of the caller's team, oldest first. */
export function listProjects(services: Services, caller: Caller): Project[] {
  return services.store.model.tables.projects.of(caller.teamId).map(toProject);
}

/** Returns a project of the caller's team. Throws `project_not_found`, also for projects of other teams. */
export function findProject({ store }: Services, caller: Caller, id: number): ProjectRecord {
  const project = store.model.tables.projects.get(id);
  if (project?.team_id !== caller.teamId) throw projectNotFound();
  return project;
}

export async function renameProject(
  services: Services,
  caller: Caller,
  { id }: ProjectRecord,
  { name }: ProjectInput,
): Promise<Project> {
  const project = await commitAsCaller(services, caller, (transaction) => {
    const renamed = { ...currentProject(transaction, id), name };
    transaction.put('projects', renamed);
    return renamed;
  });
  return toProject(project);
}

/** Replaces the API key of a project, and so its DSN. The old key is rejected as soon as the promise resolves. */
export async function rotateApiKey(
  services: Services,
  caller: Caller,
  { id }: ProjectRecord,
): Promise<Pick<Project, 'api_key'>> {
  const api_key = createSecret('pk_');
  await commitAsCaller(services, caller, (transaction) =>
    transaction.put('projects', { ...currentProject(transaction, id), api_key }),
  );
  return { api_key };
}

/** Deletes a project with its groups, reports and source maps. */
export async function deleteProject(services: Services, caller: Caller, { id }: ProjectRecord): Promise<void> {
  const { store, log } = services;
  const unused = await commitAsCaller(services, caller, (transaction) => {
    currentProject(transaction, id);
    const maps = transaction.mapsOf(id);
    transaction.removeProject(id);
    return unusedBlobs(transaction, maps);
  });
  // Blobs that can't be removed now are removed at the next start.
  await Promise.all(unused.map((blob) => store.blobs.remove(blob))).catch((error: unknown) =>
    log.warn(
      { err: error, project_id: id },
      'blobs of a deleted project could not be removed; the next start removes them',
    ),
  );
}

export async function readFacets({ store }: Services, { id, team_id }: ProjectRecord): Promise<Facets> {
  const tags = await store.model.lists.tagFacets([id], team_id);
  return { ...store.model.facets(id), tags };
}

/** Returns the counts of items other than stored errors that Sentry's SDKs sent or dropped since the server started. */
export function readDroppedItems({ droppedItems }: Services, { id }: ProjectRecord): DroppedItems {
  return {
    since: new Date(droppedItems.since).toISOString(),
    sent: Object.fromEntries(droppedItems.sentBy(id)),
    unsent: Object.fromEntries(droppedItems.unsentBy(id)),
  };
}

/** Returns a project with its DSN, which contains the address of the server. */
export function readProject({ baseUrl }: Services, project: ProjectRecord): ProjectDetails {
  return { ...toProject(project), dsn: dsnOf(project, baseUrl) };
}

function toProject({ id, name, api_key, created_at }: ProjectRecord): Project {
  return { id, name, api_key, created_at };
}

export function projectNotFound(): ProblemError {
  return new ProblemError('project_not_found', 'There is no project with this id.');
}

function assertProjectLimit(transaction: Transaction, teamId: number, max: number): void {
  let count = 0;
  for (const { team_id } of transaction.rows('projects')) if (team_id === teamId) count++;
  if (count >= max)
    throw new ProblemError(
      'conflict',
      `The team has ${count} projects, and the maximum is ${max}. Delete one, or ask the operator to raise SERVICE_MAX_PROJECTS.`,
    );
}

/** Reads the project again: it may have changed since the request began. */
function currentProject(transaction: Transaction, id: number): ProjectRecord {
  const project = transaction.get('projects', id);
  if (!project) throw projectNotFound();
  return project;
}
