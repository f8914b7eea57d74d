import type { Transaction } from './log/transaction.ts';
import type { SourceMapRecord } from './records/records.ts';

/** Returns a source map with the same content, in any project. A new map can share its blob. */
export function findEqualMap(transaction: Transaction, hash: string): SourceMapRecord | undefined {
  for (const map of liveMaps(transaction)) if (map.hash === hash) return map;
  return undefined;
}

/** Returns those of the given blobs that no source map uses any more after the transaction. */
export function unusedBlobs(transaction: Transaction, candidates: Iterable<Pick<SourceMapRecord, 'blob'>>): string[] {
  const unused = new Set(Array.from(candidates, ({ blob }) => blob));
  for (const { blob } of liveMaps(transaction)) unused.delete(blob);
  return [...unused];
}

/**
 * Yields the source maps whose project still exists. If the transaction removes a project, the project's maps are still
 * in the table until the transaction is applied.
 */
function* liveMaps(transaction: Transaction): Generator<SourceMapRecord> {
  for (const map of transaction.rows('source_maps')) if (transaction.get('projects', map.project_id)) yield map;
}
