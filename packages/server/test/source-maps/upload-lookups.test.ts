import { expect, test } from 'vitest';
import { findEqualMap, unusedBlobs } from '../../src/store/shared-blobs.ts';
import { Transaction } from '../../src/store/log/transaction.ts';
import { Model } from '../../src/store/model/model.ts';
import type { SourceMapRecord } from '../../src/store/records/source-map-records.ts';

/** A model with many source maps of another project. Counts how often one of their fields is read. */
function crowdedModel(maps: number): { model: Model; reads: () => number } {
  const model = new Model(10);
  const put = (record: SourceMapRecord): void => model.apply({ kind: 'put', table: 'source_maps', record }, 0, null);
  for (const id of [1, 2])
    model.apply(
      { kind: 'put', table: 'projects', record: { id, team_id: id, name: '', api_key: `key ${id}`, created_at: '' } },
      0,
      null,
    );
  let reads = 0;
  const counted = (record: SourceMapRecord): SourceMapRecord =>
    new Proxy(record, {
      get(target, field) {
        reads++;
        return target[field as keyof SourceMapRecord];
      },
    });
  for (let id = 1; id <= maps; id++) put(counted(mapOf(id, id === maps ? 1 : 2, `hash ${id}`)));
  reads = 0;
  return { model, reads: () => reads };
}

function mapOf(id: number, project_id: number, hash: string): SourceMapRecord {
  return {
    id,
    project_id,
    file: 'app.js',
    release: null,
    url: null,
    debug_id: null,
    size: 1,
    sources: 1,
    created_at: '',
    last_used_at: null,
    hash,
    blob: `blob of ${hash}`,
    index_bytes: 1,
    groups_before: 0,
  };
}

test('an equal map and unused blobs are found without reading the maps of others', () => {
  const { model, reads } = crowdedModel(5_000);
  const transaction = new Transaction(model, 0);
  expect(findEqualMap(transaction, 'hash 5000')?.id).toBe(5_000);
  expect(findEqualMap(transaction, 'hash of none')).toBeUndefined();
  expect(unusedBlobs(transaction, [{ blob: 'blob of hash 7' }, { blob: 'blob of none' }])).toEqual(['blob of none']);
  expect(reads()).toBeLessThan(50);
});

test('the maps of the same batch are found, and those that it removes are not', () => {
  const { model } = crowdedModel(10);
  const transaction = new Transaction(model, 0);
  transaction.put('source_maps', mapOf(11, 1, 'hash of this batch'));
  expect(findEqualMap(transaction, 'hash of this batch')?.id).toBe(11);
  transaction.remove('source_maps', 3);
  expect(findEqualMap(transaction, 'hash 3')).toBeUndefined();
  expect(unusedBlobs(transaction, [{ blob: 'blob of hash 3' }])).toEqual(['blob of hash 3']);
  transaction.remove('projects', 2);
  expect(unusedBlobs(transaction, [{ blob: 'blob of hash 4' }, { blob: 'blob of hash 10' }])).toEqual([
    'blob of hash 4',
  ]);
});
