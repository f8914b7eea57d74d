import type { FrameResolution, ResolutionResult } from '@service/protocol';
import { textOf } from '../parts/prose.tsx';

/** A word for the frame itself; of those that are missing nothing is to be told. */
export const shortVerdict: Partial<Record<ResolutionResult, string>> = {
  no_location: 'no location',
  third_party: 'third party',
  no_maps_in_project: 'no source map',
  no_map_for_release: 'no map for the release',
  no_map_for_file: 'no map for the file',
  debug_id_mismatch: 'map of another build',
  map_invalid: 'map is damaged',
  position_outside_map: 'outside of the map',
  source_content_missing: 'no source text',
};

/** Why a frame is not readable, and what to do; empty where nothing needs to be done. */
export function tellVerdict({ result, detail }: FrameResolution): string {
  const isNameless = result === 'no_map_for_release' && detail.release === null;
  const { releases, nearest } = detail;
  return textOf(isNameless ? 'no_release' : result, { ...detail, releases: list(releases), nearest: list(nearest) });
}

const list = (names: readonly string[] = []): string => names.join(', ') || 'none';
