import * as z from 'zod';
import { limits } from './limits.ts';
import { Id, queryInteger } from './primitives.ts';
import { RawFrame } from './report.ts';
import { SourceMap } from './source-map.ts';

/** The symbolication result of a frame: `resolved`, or the reason why it is not. */
export const ResolutionResult = z.enum([
  'resolved',
  'not_minified',
  'no_location',
  'third_party',
  'no_maps_in_project',
  'no_map_for_release',
  'no_map_for_file',
  'debug_id_mismatch',
  'map_invalid',
  'position_outside_map',
  'source_content_missing',
]);
export type ResolutionResult = z.infer<typeof ResolutionResult>;

/** The details of a result. Each result has its own fields. */
export const ResolutionDetail = z.object({
  /** For `no_map_for_release`. */
  release: z.string().nullable().optional(),
  releases: z.array(z.string()).optional(),
  /** For `no_map_for_file`; `nearest` has at most three names. */
  file: z.string().optional(),
  nearest: z.array(z.string()).optional(),
  /** For `debug_id_mismatch`. */
  expected: z.string().optional(),
  found: z.string().optional(),
  /** For `position_outside_map`. */
  lines: z.int().optional(),
  /** For `source_content_missing`. */
  source: z.string().optional(),
});
export type ResolutionDetail = z.infer<typeof ResolutionDetail>;

/** A source map that matches a frame, and the kind of match. */
export const CandidateMap = SourceMap.pick({ id: true, file: true, release: true, url: true }).extend({
  why: z.enum(['debug_id', 'release_url', 'release_file', 'no_release']),
});
export type CandidateMap = z.infer<typeof CandidateMap>;

export const FrameResolution = z.object({
  /** The index in the frames of the report, from 0. */
  index: z.int(),
  ...RawFrame.omit({ function: true }).shape,
  result: ResolutionResult,
  detail: ResolutionDetail,
  /** In order of preference: the first one is used. */
  maps: z.array(CandidateMap),
});
export type FrameResolution = z.infer<typeof FrameResolution>;

/** How the stack of a report was symbolicated. */
export const Resolution = z.object({ report_id: Id, frames: z.array(FrameResolution) });
export type Resolution = z.infer<typeof Resolution>;

const largestPosition = 2 ** 31 - 1;
const PositionNumber = queryInteger.pipe(z.int().min(1).max(largestPosition));

/** The query of GET /projects/{id}/resolution: a position in a minified script, as a frame of a report has it. */
export const PositionQuery = z.strictObject({
  /** URL or file name of the script. */
  file: z.string().min(1).max(limits.urlChars),
  /** Counted from 1, as is `column`. */
  line: PositionNumber,
  column: PositionNumber,
  release: z.string().max(limits.releaseChars).optional(),
  debug_id: z.string().max(limits.debugIdChars).optional(),
});
export type PositionQuery = z.infer<typeof PositionQuery>;

/** How a position in a minified script is resolved, and its original position. */
export const PositionResolution = FrameResolution.omit({ index: true }).extend({
  /** Null if the position is not resolved. */
  original: z
    .object({
      file: z.string(),
      line: z.int(),
      column: z.int(),
      /** The source line; null if the map does not contain the source. */
      text: z.string().nullable(),
    })
    .nullable(),
});
export type PositionResolution = z.infer<typeof PositionResolution>;
