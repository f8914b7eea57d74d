import type { FrameResolution, ResolutionResult } from '@service/protocol';

/** A word for the frame itself; null: nothing is wrong with it. */
export function shortVerdict(result: ResolutionResult): string | null {
  return short[result];
}

const short: Record<ResolutionResult, string | null> = {
  resolved: null,
  not_minified: null,
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

/** Why a frame is not readable, and what to do; null where nothing needs to be done. */
export function tellVerdict({ result, detail }: FrameResolution): { what: string; next: string } | null {
  switch (result) {
    case 'resolved':
    case 'not_minified':
    case 'third_party':
    case 'no_location':
      return null;
    case 'no_maps_in_project':
      return { what: 'The project has no source map yet.', next: 'Upload those of this build.' };
    case 'no_map_for_release':
      return {
        what: detail.release ? `There is no map for release ${detail.release}.` : 'The report names no release.',
        next: `${detail.releases?.length ? `There are maps for ${list(detail.releases)}. ` : ''}${
          detail.release ? 'Upload the maps with this very release.' : 'Give init() the release that the maps have.'
        }`,
      };
    case 'no_map_for_file':
      return {
        what: `No map is named like ${detail.file}.`,
        next: detail.nearest?.length
          ? `The nearest are ${list(detail.nearest)}. Was another build uploaded?`
          : 'Upload the one that was made with this file.',
      };
    case 'debug_id_mismatch':
      return {
        what: `The map of that name is of another build (debug id ${detail.found}, not ${detail.expected}).`,
        next: 'Upload the maps of the build that is deployed.',
      };
    case 'map_invalid':
      return { what: 'The stored map is damaged.', next: 'Upload it again.' };
    case 'position_outside_map':
      return {
        what: `The map ends after ${detail.lines} lines of the bundle.`,
        next: 'It is of another build, or something adds lines to the bundle after it was made.',
      };
    case 'source_content_missing':
      return {
        what: `The map has no text of ${detail.source}, so file and line are right, but no code is shown.`,
        next: 'Have the bundler put it in (sourcesContent, inlineSources in TypeScript).',
      };
  }
}

const list = (names: readonly string[]): string => new Intl.ListFormat('en').format(names);
