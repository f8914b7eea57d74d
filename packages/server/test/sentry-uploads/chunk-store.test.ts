import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { ChunkStore } from '../../src/sentry-uploads/chunk-store.ts';
import { UploadBudget } from '../../src/uploads/upload-budget.ts';

const budget = new UploadBudget();

/** Uploads a chunk of one small text and returns its hash. */
async function add(store: ChunkStore, teamId: number, text: string): Promise<string> {
  const upload = budget.begin(teamId);
  const chunk = await store.receive(upload, Readable.from([Buffer.from(text)]));
  upload.release();
  await store.add(teamId, chunk);
  return chunk.sha1;
}

test('a chunk of two bundles is kept until both have read it', async () => {
  const store = new ChunkStore(() => 0);
  const sha1 = await add(store, 1, 'shared');
  const [first, second] = [store.use(1, [sha1]), store.use(1, [sha1])];
  await first();
  expect(store.find(1, [sha1])).toEqual([expect.objectContaining({ sha1 })]);
  await second();
  expect(store.find(1, [sha1])).toEqual([null]);
});

test('a team with many uploads does not prevent uploads of other teams', async () => {
  const store = new ChunkStore(() => 0);
  const hashes: string[] = [];
  for (const teamId of [1, 2])
    for (let index = 0; index < 256; index++) hashes.push(await add(store, teamId, `${teamId} ${index}`));
  await expect(add(store, 1, 'one more')).rejects.toMatchObject({ code: 'overloaded' });
  const own = await add(store, 3, 'of a small team');
  expect(store.find(3, [own])).toEqual([expect.objectContaining({ sha1: own })]);
  expect(store.find(1, hashes.slice(0, 2))).toEqual([null, expect.anything()]);
  await store.close();
});

test('a chunk expires after an hour, unless it is being read', async () => {
  let now = 0;
  const store = new ChunkStore(() => now);
  const [kept, expired] = [await add(store, 1, 'kept'), await add(store, 1, 'expired')];
  store.use(1, [kept]);
  now = 3_600_000;
  await add(store, 1, 'later');
  expect(store.find(1, [kept, expired])).toEqual([expect.anything(), null]);
  await store.close();
});
