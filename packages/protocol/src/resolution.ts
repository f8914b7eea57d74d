import * as z from 'zod';
import { Id } from './primitives.ts';
import { RawFrame } from './report.ts';
import { SourceMap } from './source-map.ts';

/** What became of a frame: `resolved`, or why not. */
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

/** What there is to know of a result; each has fields of its own. */
export const ResolutionDetail = z.object({
  /** `no_map_for_release`. */
  release: z.string().nullable().optional(),
  releases: z.array(z.string()).optional(),
  /** `no_map_for_file`: at most three names. */
  file: z.string().optional(),
  nearest: z.array(z.string()).optional(),
  /** `debug_id_mismatch`. */
  expected: z.string().optional(),
  found: z.string().optional(),
  /** `position_outside_map`. */
  lines: z.int().optional(),
  /** `source_content_missing`. */
  source: z.string().optional(),
});
export type ResolutionDetail = z.infer<typeof ResolutionDetail>;

/** A map that may serve a frame, and by what it fits. */
export const CandidateMap = SourceMap.pick({ id: true, file: true, release: true, url: true }).extend({
  why: z.enum(['debug_id', 'release_url', 'release_file', 'no_release']),
});
export type CandidateMap = z.infer<typeof CandidateMap>;

export const FrameResolution = z.object({
  /** Its place among the frames of the report, from 0. */
  index: z.int(),
  ...RawFrame.omit({ function: true }).shape,
  result: ResolutionResult,
  detail: ResolutionDetail,
  /** In the order in which they are chosen: the first one serves. */
  maps: z.array(CandidateMap),
});
export type FrameResolution = z.infer<typeof FrameResolution>;

/** How the stack of a report was resolved. */
export const Resolution = z.object({ report_id: Id, frames: z.array(FrameResolution) });
export type Resolution = z.infer<typeof Resolution>;
