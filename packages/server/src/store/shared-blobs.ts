import type { Draft } from './log/transaction.ts';
import type { SourceMapRecord } from './records/records.ts';

/** A map with this content that is there already, in whatever project: another one of the kind can share its blob. */
export function findEqualMap(draft: Draft, hash: string): SourceMapRecord | undefined {
  for (const map of standing(draft)) if (map.hash === hash) return map;
  return undefined;
}

/** Of the blobs of maps that a draft has removed or given another blob, those that no map needs any more. */
export function unusedBlobs(draft: Draft, given: Iterable<Pick<SourceMapRecord, 'blob'>>): string[] {
  const unused = new Set(Array.from(given, ({ blob }) => blob));
  for (const { blob } of standing(draft)) unused.delete(blob);
  return [...unused];
}

/** A map goes with its project, also while the draft that removes it is being decided. */
function* standing(draft: Draft): Generator<SourceMapRecord> {
  for (const map of draft.rows('source_maps')) if (draft.get('projects', map.project_id)) yield map;
}
