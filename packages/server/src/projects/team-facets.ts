import { limits, type Facets } from '@service/protocol';
import type { Caller } from '../accounts/caller.ts';
import type { Services } from '../services.ts';
import { mapFacets } from '../store/records/columns-and-fields.ts';
import { listProjects } from './projects.ts';

/** Resolves with the facets of all projects of the caller's team. */
export async function readTeamFacets(services: Services, caller: Caller): Promise<Facets> {
  const { model } = services.store;
  const ids = listProjects(services, caller).map(({ id }) => id);
  const tags = await model.lists.tagFacets(ids, caller.teamId);
  const facetsOfProjects = ids.map((id) => model.facets(id));
  return { ...mapFacets((name) => newestOfEach(facetsOfProjects.map((facets) => facets[name]))), tags };
}

/**
 * Merges lists that are each ordered newest first: the first values of all lists, then the second ones, and so on. A
 * project with many releases can't crowd out the others when the limit is reached.
 */
function newestOfEach(lists: readonly (readonly string[])[]): string[] {
  const values = new Set<string>();
  for (let index = 0; index < limits.facets && values.size < limits.facets; index++) {
    for (const list of lists) {
      const value = list[index];
      if (value !== undefined && values.size < limits.facets) values.add(value);
    }
  }
  return [...values];
}
