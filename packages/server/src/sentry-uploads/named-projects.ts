import type { Caller } from '../accounts/caller.ts';
import { truncate } from '../text/truncate.ts';
import type { Services } from '../services.ts';
import type { ProjectRecord } from '../store/records/project-records.ts';
import { validationFailed } from '../validation/validation.ts';

/** Names that a message lists, and their characters. */
const maxListed = 20;
const maxListedChars = 60;

/**
 * Returns the projects that a tool of Sentry names, by id, by name, or by name as Sentry would write it in a URL.
 * Without names, returns the only project of the team. Throws `validation_failed`, which lists the projects of the
 * team, if a name matches none of them, or if none is named and the team does not have exactly one.
 */
export function findNamedProjects({ store }: Services, caller: Caller, names: readonly string[]): ProjectRecord[] {
  const projects = store.model.tables.projects.of(caller.teamId);
  if (names.length === 0 && projects.length === 1) return [...projects];
  const found = names.map((name) => projects.find((project) => isNamed(project, name)));
  if (found.length === 0 || found.includes(undefined)) throw noSuchProject(projects);
  return [...new Set(found as ProjectRecord[])];
}

function isNamed({ id, name }: ProjectRecord, given: string): boolean {
  return given === String(id) || given === name || given === slugOf(name);
}

/** Returns a name as Sentry writes it in a URL: `my-shop` for "My shop". */
function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_]+/gu, '-')
    .replace(/^-|-$/g, '');
}

function noSuchProject(projects: readonly ProjectRecord[]): Error {
  const listed = projects
    .slice(0, maxListed)
    .map(({ id, name }) => `${id} (${truncate(name, maxListedChars)})`)
    .join(', ');
  return validationFailed([
    { path: 'projects', detail: `expected the id or name of a project of the team: ${listed || 'it has none'}` },
  ]);
}
