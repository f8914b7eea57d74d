import type { Facets } from '@service/protocol';
import { get } from '../api/call.ts';
import { useLoad } from '../api/use-load.ts';

/** By their paths, as they were read last. */
const lastRead = new Map<string, Facets>();

/** The environments and releases of a project, or of all. Those that were read last are there until newer ones are. */
export function useFacets(projectId: number | null): Facets | undefined {
  const path = projectId === null ? '/facets' : `/projects/${projectId}/facets`;
  const { value } = useLoad(path, async () => {
    const facets = await get<Facets>(path);
    lastRead.set(path, facets);
    return facets;
  });
  return value ?? lastRead.get(path);
}
