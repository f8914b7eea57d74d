import { afterEach, expect, test } from 'vitest';
import { MapIndexing } from '../../src/symbolication/indexing/map-indexing.ts';
import { storeIndex } from '../../src/symbolication/indexing/store-index.ts';
import { openMemoryDriver } from '../../src/storage/unstorage/memory.ts';
import { largeMap } from '../hostile/large-map.ts';
import { indexMap } from './index-map.ts';

const indexings: MapIndexing[] = [];

afterEach(async () => {
  for (const indexing of indexings.splice(0)) await indexing.close();
});

function createIndexing(threadHeapMb?: number): MapIndexing {
  const indexing = new MapIndexing(threadHeapMb);
  indexings.push(indexing);
  return indexing;
}

async function* piecesOf(text: string | Buffer, pieceBytes: number, end?: Error): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text as string);
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
  if (end) throw end;
}

/** Returns the index of a map and the facts about it. */
async function index(indexing: MapIndexing, pieces: AsyncIterable<Uint8Array>, options: { isUrgent?: boolean } = {}) {
  const made = indexing.index(pieces, options);
  const packed: Uint8Array[] = [];
  for (;;) {
    const { done, value } = await made.next();
    if (done) return { bytes: Buffer.concat(packed), facts: value };
    packed.push(value);
  }
}

const large = Buffer.concat([...largeMap(1_500_000)]).toString();

test.each([1_000, 65_536, 3_000_000])(
  'the thread makes the same index of a large map as the indexer itself (pieces of %i bytes)',
  async (pieceBytes) => {
    const wanted = indexMap(large);
    const made = await index(createIndexing(), piecesOf(large, pieceBytes));
    expect(made.facts).toEqual(wanted.facts);
    expect(made.bytes.equals(wanted.bytes)).toBe(true);
  },
);

test('indexes several maps concurrently and independently', async () => {
  const indexing = createIndexing();
  const maps = [
    large,
    large.replace('"large.js"', '"other.js"'),
    `${large} `,
    '{"version":3,"sources":[],"mappings":""}',
  ];
  const made = await Promise.all(maps.map((map, at) => index(indexing, piecesOf(map, 50_000 + at))));
  for (const [at, { bytes, facts }] of made.entries()) {
    const wanted = indexMap(maps[at] ?? '');
    expect(facts).toEqual(wanted.facts);
    expect(bytes.equals(wanted.bytes)).toBe(true);
  }
});

test('indexes small and urgent maps during four slow large ones, while the next large one waits', async () => {
  const indexing = createIndexing();
  let goOn = (): void => undefined;
  const later = new Promise<void>((resolve) => (goOn = resolve));
  async function* slowly(): AsyncGenerator<Buffer> {
    yield Buffer.from(large.slice(0, 300_000));
    await later;
    yield Buffer.from(large.slice(300_000));
  }
  const slow = Array.from({ length: 4 }, () => index(indexing, slowly()));
  let isNextDone = false;
  const next = index(indexing, piecesOf(large, 100_000)).then(() => (isNextDone = true));
  await index(indexing, piecesOf('{"version":3,"sources":[],"mappings":""}', 10));
  // The urgent map has the same size, so the next one would be done by now if it did not wait.
  for (let round = 0; round < 2; round++) await index(indexing, piecesOf(large, 100_000), { isUrgent: true });
  expect(isNextDone).toBe(false);
  goOn();
  await Promise.all([...slow, next]);
  expect(isNextDone).toBe(true);
});

test('rejects a large map for a late error and indexes the next one', async () => {
  const indexing = createIndexing();
  const rejections = [
    `${large}}`,
    large.slice(0, -1),
    large.replace('"version":3', '"version":2'),
    large.replace('"mappings":"', '"mappings":"!'),
  ];
  for (const wrong of rejections) {
    const rejected = index(indexing, piecesOf(wrong, 70_000));
    await expect(rejected).rejects.toMatchObject({
      code: 'invalid_source_map',
      message: expect.stringMatching(/\.$|\?$/),
    });
  }
  const broken = new Error('broken off');
  await expect(index(indexing, piecesOf(large, 70_000, broken))).rejects.toBe(broken);
  await expect(index(indexing, piecesOf('{}', 70_000, broken))).rejects.toBe(broken);
  expect((await index(indexing, piecesOf(large, 70_000))).facts.file).toBe('large.js');
});

test('stops the upload if the consumer stops in the middle of a map', async () => {
  const indexing = createIndexing();
  let isOver = false;
  async function* upload(): AsyncGenerator<Buffer> {
    try {
      yield* piecesOf(large, 70_000);
    } finally {
      isOver = true;
    }
  }
  for await (const piece of indexing.index(upload())) if (piece.length > 0) break;
  expect(isOver).toBe(true);
});

/** A map that needs more memory than `smallHeapMb`, which is enough for `large`. */
const heavy = JSON.stringify({
  version: 3,
  names: [],
  mappings: 'AAAA',
  sources: Array.from({ length: 100_000 }, (_, source) => `src/${source}.ts`),
  sourcesContent: Array.from({ length: 100_000 }, () => 'x'),
});
const smallHeapMb = 12;

/** Yields a part of a map, and the rest after `goOn`. `started` resolves once the part is indexed. */
function pausedUpload(text: string) {
  let goOn = (): void => undefined;
  let start = (): void => undefined;
  const started = new Promise<void>((resolve) => (start = resolve));
  const paused = new Promise<void>((resolve) => (goOn = resolve));
  async function* read(): AsyncGenerator<Buffer> {
    yield* piecesOf(text.slice(0, 600_000), 70_000);
    start();
    await paused;
    yield* piecesOf(text.slice(600_000), 70_000);
  }
  return { read, started, goOn: () => goOn() };
}

test('a map that takes too much memory is rejected, and those that are indexed with it are stored', async () => {
  const indexing = createIndexing(smallHeapMb);
  const { blobs } = openMemoryDriver();
  const store = (read: () => AsyncIterable<Uint8Array>) => storeIndex({ blobs }, indexing, { read });
  const tooLarge = { code: 'invalid_source_map', message: expect.stringContaining('memory') };
  const slow = pausedUpload(large);
  const other = store(slow.read);
  await slow.started;
  await expect(store(() => piecesOf(heavy, 70_000))).rejects.toMatchObject(tooLarge);
  slow.goOn();
  expect((await other).map.file).toBe('large.js');

  const next = pausedUpload(large.replace('"large.js"', '"next.js"'));
  const uninterrupted = index(indexing, next.read());
  await next.started;
  await expect(index(indexing, piecesOf(heavy, 70_000))).rejects.toMatchObject(tooLarge);
  next.goOn();
  expect((await uninterrupted).facts.file).toBe('next.js');
});

test('rejects the current map if the thread ends, and starts a new thread for the next one', async () => {
  const indexing = createIndexing();
  const slow = pausedUpload(large);
  const indexed = index(indexing, slow.read());
  indexed.catch(() => undefined);
  await slow.started;
  await indexing.close();
  slow.goOn();
  await expect(indexed).rejects.toMatchObject({ code: 'overloaded' });
  expect((await index(indexing, piecesOf(large, 70_000))).facts.file).toBe('large.js');
});
