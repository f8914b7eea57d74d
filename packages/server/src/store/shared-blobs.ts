import type { Transaction } from './log/transaction.ts';
import type { SourceMapRecord } from './records/records.ts';

/** A map with this content that is there already, in whatever project: another one of the kind can share its blob. */
export function findEqualMap(transaction: Transaction, hash: string): SourceMapRecord | undefined {
  for (const map of liveMaps(transaction)) if (map.hash === hash) return map;
  return undefined;
}

/** Of the blobs of maps that a transaction has removed or given another blob, those that no map needs any more. */
export function unusedBlobs(transaction: Transaction, given: Iterable<Pick<SourceMapRecord, 'blob'>>): string[] {
  const unused = new Set(Array.from(given, ({ blob }) => blob));
  for (const { blob } of liveMaps(transaction)) unused.delete(blob);
  return [...unused];
}

/** A map goes with its project, also while the transaction that removes it is being decided. */
function* liveMaps(transaction: Transaction): Generator<SourceMapRecord> {
  for (const map of transaction.rows('source_maps')) if (transaction.get('projects', map.project_id)) yield map;
}
