import { limits, type SourceMapUsage } from '@service/protocol';
import { ProblemError } from '../problem.ts';
import type { Services } from '../services.ts';
import type { Model } from '../store/model/model.ts';
import type { SourceMapRecord } from '../store/records/source-map-records.ts';

const megabyte = 1024 * 1024;

/** Returns the source maps of a team and their limits. */
export function sourceMapUsage({ store, config }: Pick<Services, 'store' | 'config'>, teamId: number): SourceMapUsage {
  return {
    ...mapsOfTeam(store.model, teamId),
    max_maps: limits.sourceMapsPerTeam,
    max_bytes: config.sourceMapMb * megabyte,
    expire_days: config.sourceMapDays,
  };
}

/**
 * Throws `conflict` if the team has no room for a map. `added` is null before its size is known. `replaced` is the map
 * whose place it takes. Uploads of the same batch do not see each other, so the last ones may exceed the limit.
 */
export function assertMapRoom(
  services: Pick<Services, 'store' | 'config'>,
  teamId: number,
  added: Pick<SourceMapRecord, 'size' | 'index_bytes'> | null,
  replaced?: SourceMapRecord,
): void {
  const { maps, max_maps, bytes, max_bytes } = sourceMapUsage(services, teamId);
  const remedy = 'Delete maps of old releases';
  if (maps >= max_maps && added && !replaced)
    throw new ProblemError('conflict', `The team has ${max_maps} source maps, which is the maximum. ${remedy}.`);
  const before = bytes - (replaced ? storedSize(replaced) : 0);
  if (added ? before + storedSize(added) > max_bytes : before >= max_bytes)
    throw new ProblemError(
      'conflict',
      `The source maps of the team take ${Math.ceil(bytes / megabyte)} of ${max_bytes / megabyte} MB. ${remedy}, or ask the operator to raise SERVICE_SOURCE_MAP_MB.`,
    );
}

function mapsOfTeam(model: Model, teamId: number): { maps: number; bytes: number } {
  let maps = 0;
  let bytes = 0;
  for (const { id } of model.tables.projects.of(teamId)) {
    for (const map of model.mapsOf(id)) {
      maps++;
      bytes += storedSize(map);
    }
  }
  return { maps, bytes };
}

function storedSize({ index_bytes, size }: Pick<SourceMapRecord, 'size' | 'index_bytes'>): number {
  return index_bytes ?? size;
}
