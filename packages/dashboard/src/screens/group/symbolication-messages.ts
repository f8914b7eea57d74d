import type { FrameResolution } from '@service/protocol';
import { countOf } from '../../format/count.ts';

type Result = FrameResolution['result'];

/** Labels of frames whose source is not shown. Other results need no label. */
export const symbolicationLabels: Partial<Record<Result, string>> = {
  no_location: 'no location',
  third_party: 'third party',
  no_maps_in_project: 'no source map',
  no_map_for_release: 'no map for the release',
  no_map_for_file: 'no map for the file',
  debug_id_mismatch: 'map of another build',
  map_invalid: 'damaged map',
  position_outside_map: 'outside of the map',
  source_content_missing: 'no source text',
};

/** Why the source of a frame is not shown, and how to fix it. */
const messages: Record<Result, (detail: FrameResolution['detail']) => string> = {
  resolved: () => '',
  not_minified: () =>
    'This file is not minified. File and line are correct, unless a dev server transformed it. To see the source here, upload a source map of this file.',
  no_location: () => 'The browser reports no location for this call, which is normal for built-in functions.',
  third_party: () =>
    'This call is in code of another origin, in a browser extension or in a library. It needs no source map.',
  no_maps_in_project: () => 'The project has no source maps yet. Upload those of this build.',
  no_map_for_release: ({ release, releases }) =>
    release === null
      ? `The report has no release. Pass the release of the source maps to init(): ${join(releases)}.`
      : `No source map for release ${release}. Maps exist for: ${join(releases)}. Upload the maps with this exact release.`,
  no_map_for_file: ({ file, nearest = [] }) =>
    `No source map for ${file}.${nearest.length === 0 ? '' : ` The most similar names are: ${join(nearest)}.`} Was another build uploaded?`,
  debug_id_mismatch: ({ found, expected }) =>
    `The source map of this name is from another build (debug ID ${found}, not ${expected}). Upload the maps of the deployed build.`,
  map_invalid: () => 'The stored source map is damaged. Upload it again.',
  position_outside_map: ({ lines = 0 }) =>
    `The source map covers only ${countOf(lines, 'line')} of the bundle. It is from another build, or lines were added to the bundle later.`,
  source_content_missing: ({ source }) =>
    `The source map lacks the text of ${source}. File and line are correct, but no code is shown. Add it in the bundler (sourcesContent, or inlineSources in TypeScript).`,
};

/** Says why the source of a frame is not shown, and how to fix it. Returns an empty text for a resolved frame. */
export const symbolicationMessage = ({ result, detail }: FrameResolution): string => messages[result](detail);

/** Returns whether a source map is missing or wrong. The other results need no upload. */
export function needsAction({ result }: FrameResolution): boolean {
  return !['resolved', 'not_minified', 'no_location', 'third_party'].includes(result);
}

const join = (names: readonly string[] = []): string => names.join(', ') || 'none';
