import type { ErrorGroup, Facets } from '@service/protocol';
import { useLayoutEffect } from 'preact/hooks';
import { get } from '../../api/call.ts';
import { useLoad } from '../../api/use-load.ts';
import { onEvent } from '../../live/live-events.ts';
import { filterFields } from '../filter/group-filter.ts';

/** The facets that were loaded last, by path. */
const cache = new Map<string, Facets>();

/** The facets are reloaded at most once in this time. */
const facetsReloadPauseMs = 5_000;

/**
 * Returns the facets of a project, or of all projects. The cached ones are returned until newer ones are loaded. An
 * event with an unknown value reloads them.
 */
export function useFacets(projectId: number | null): Facets | undefined {
  const path = projectId === null ? '/facets' : `/projects/${projectId}/facets`;
  const { value, reload } = useLoad(path, async () => {
    const facets = await get<Facets>(path);
    cache.set(path, facets);
    return facets;
  });
  useLayoutEffect(() => {
    // The server lists only the newest values, so a reload may not contain this one. Each value causes one reload.
    const tried = new Set<string>();
    let timer = 0;
    let earliestReload = 0;
    const unsubscribe = onEvent((event) => {
      if (!('group' in event) || (projectId !== null && event.project_id !== projectId)) return;
      const unknown = unknownValues(event.group, cache.get(path)).filter((name) => !tried.has(name));
      if (unknown.length === 0) return;
      for (const name of unknown) tried.add(name);
      timer ||= setTimeout(
        () => {
          timer = 0;
          earliestReload = performance.now() + facetsReloadPauseMs;
          reload();
        },
        Math.max(0, earliestReload - performance.now()),
      );
    });
    return () => {
      clearTimeout(timer);
      unsubscribe();
    };
  }, [path]);
  return value ?? cache.get(path);
}

/** Returns the values of a group that the facets lack, each with its field in front. */
function unknownValues(group: ErrorGroup, facets: Facets | undefined): string[] {
  return filterFields.flatMap(({ name, facet, valuesOf }) => {
    if (!facet || !valuesOf) return [];
    const unknown = valuesOf(group).filter((value) => value !== null && !facets?.[facet].includes(value));
    return unknown.map((value) => `${name} ${value}`);
  });
}
