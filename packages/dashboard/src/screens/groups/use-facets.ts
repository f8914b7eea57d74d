import type { ErrorGroup, Facets } from '@service/protocol';
import { get } from '../../api/call.ts';
import { useLoad } from '../../api/use-load.ts';
import { listen } from '../../live/live.ts';
import { useLayoutEffect } from 'preact/hooks';

/** By their paths, as they were read last. */
const lastRead = new Map<string, Facets>();

/** However fast new values arrive, the facets are not loaded more often than this. */
const reloadPauseMs = 5_000;

/**
 * The environments and releases of a project, or of all. Those that were read last are there until newer ones are. An
 * event with a value that is not among them loads them again.
 */
export function useFacets(projectId: number | null): Facets | undefined {
  const path = projectId === null ? '/facets' : `/projects/${projectId}/facets`;
  const { value, reload } = useLoad(path, async () => {
    const facets = await get<Facets>(path);
    lastRead.set(path, facets);
    return facets;
  });
  useLayoutEffect(() => {
    // The server lists only the newest values, so a group may have one that a reload does not bring. It is tried once.
    const tried = new Set<string>();
    let timer = 0;
    let earliest = 0;
    const end = listen((event) => {
      if (!('group' in event) || (projectId !== null && event.project_id !== projectId)) return;
      const unknown = unknownValues(event.group, lastRead.get(path)).filter((name) => !tried.has(name));
      if (unknown.length === 0) return;
      for (const name of unknown) tried.add(name);
      timer ||= setTimeout(
        () => {
          timer = 0;
          earliest = performance.now() + reloadPauseMs;
          reload();
        },
        Math.max(0, earliest - performance.now()),
      );
    });
    return () => {
      clearTimeout(timer);
      end();
    };
  }, [path]);
  return value ?? lastRead.get(path);
}

/** The values of a group that the facets lack, each with the kind of facet in front of it. */
function unknownValues(
  { environments, first_release, last_release }: ErrorGroup,
  facets: Facets | undefined,
): string[] {
  const releases = [first_release, last_release].filter((release) => release !== null);
  return [
    ...environments.filter((name) => !facets?.environments.includes(name)).map((name) => `environment ${name}`),
    ...releases.filter((name) => !facets?.releases.includes(name)).map((name) => `release ${name}`),
  ];
}
