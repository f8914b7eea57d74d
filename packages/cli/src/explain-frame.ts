import type { FrameResolution, ResolutionResult } from '@service/protocol';
import { uploadCommand } from '@service/source-maps';

/** Why a frame is not readable, and what to do. */
interface FrameReason {
  cause: string;
  /** Null if nothing is wrong. */
  fix: string | null;
}

type Explainer = (detail: FrameResolution['detail'], file: string | null) => FrameReason;

const uploadLine = uploadCommand('DIR', 'RELEASE');

/** Matches a file that browsers cannot run, so a dev server has transformed it. */
const servedSource = /^https?:.+\.(?:[cm]?tsx?|jsx|vue|svelte|astro)(?:[?#]|$)/i;

const reasons: Record<ResolutionResult, Explainer> = {
  resolved: () => ({ cause: 'resolved', fix: null }),
  not_minified: (_, file) => ({
    cause: servedSource.test(file ?? '')
      ? 'A dev server transformed this file, so the line may differ from that of your file.'
      : 'The code is in its original form, unless a dev server transformed it.',
    fix: null,
  }),
  no_location: () => ({ cause: 'The frame has no position in a file.', fix: null }),
  third_party: () => ({ cause: 'The code does not belong to the app.', fix: null }),
  no_maps_in_project: () => ({
    cause: 'The project has no source maps.',
    fix: `Build with source maps, then run: ${uploadLine}`,
  }),
  no_map_for_release: ({ release = null, releases = [] }) => ({
    cause:
      release === null
        ? `The report has no release, and no source map matches its file. Releases with maps: ${list(releases)}.`
        : `Release ${release} has no source map of this file. Releases with maps: ${list(releases)}.`,
    fix:
      release === null
        ? 'Set release in init(), or use the bundler plugin or debug ids (service sourcemaps inject DIR).'
        : `Run in the build of this release: ${uploadCommand('DIR', release)}`,
  }),
  no_map_for_file: ({ file = '', nearest = [] }) => ({
    cause: `No source map matches ${file}.${nearest.length === 0 ? '' : ` Similar names: ${list(nearest)}.`}`,
    fix: `Upload the map of this build: ${uploadLine}`,
  }),
  debug_id_mismatch: ({ expected = '', found = '' }) => ({
    cause: `The source map is of another build: the script has the debug id ${expected}, the map has ${found}.`,
    fix: `Upload the maps of the build that is deployed: ${uploadLine}`,
  }),
  map_invalid: () => ({
    cause: 'The stored source map is damaged.',
    fix: `Upload it again: ${uploadLine}`,
  }),
  position_outside_map: ({ lines = 0 }) => ({
    cause: `The source map has no source for this position (its last line is ${lines}). It may be of another build.`,
    fix: `Use debug ids, so that a wrong map is never used: service sourcemaps inject DIR, then ${uploadLine}`,
  }),
  source_content_missing: ({ source = '' }) => ({
    cause: `The source map does not contain ${source}: file and line are right, the code is missing.`,
    fix: 'Set the option of your bundler that includes the sources (sourcesContent), and upload again.',
  }),
};

/** Returns the cause of a result, and the command or setting that fixes it. */
export function explainFrame({
  result,
  detail,
  file,
}: Pick<FrameResolution, 'result' | 'detail' | 'file'>): FrameReason {
  // A newer server may know more results.
  return (Object.hasOwn(reasons, result) ? reasons[result] : () => ({ cause: result, fix: null }))(detail, file);
}

function list(texts: readonly string[]): string {
  return texts.length === 0 ? 'none' : texts.join(', ');
}
