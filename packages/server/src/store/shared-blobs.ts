import type { Transaction } from './log/transaction.ts';
import type { SourceMapRecord } from './records/source-map-records.ts';

/** Returns a source map with the same content, in any project. A new map can share its blob. */
export function findEqualMap(transaction: Transaction, hash: string): SourceMapRecord | undefined {
  for (const map of transaction.withValue('source_maps', 'hash', hash, (each) => each.hash))
    if (isLive(transaction, map)) return map;
  return undefined;
}

/** Returns those of the given blobs that no source map uses any more after the transaction. */
export function unusedBlobs(transaction: Transaction, candidates: Iterable<Pick<SourceMapRecord, 'blob'>>): string[] {
  return [...new Set(Array.from(candidates, ({ blob }) => blob))].filter((blob) => !isUsed(transaction, blob));
}

function isUsed(transaction: Transaction, blob: string): boolean {
  for (const map of transaction.withValue('source_maps', 'blob', blob, (each) => each.blob))
    if (isLive(transaction, map)) return true;
  return false;
}

/**
 * Returns whether the project of a source map still exists. If the transaction removes a project, the project's maps
 * are still in the table until the transaction is applied.
 */
function isLive(transaction: Transaction, { project_id }: SourceMapRecord): boolean {
  return transaction.get('projects', project_id) !== undefined;
}
