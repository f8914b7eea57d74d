import { expect, test } from 'vitest';
import { gatherPieces } from '../../../src/store/codec/gather-pieces.ts';

const pieceBytes = 8;

async function pieces(sizes: number[], allocate?: (bytes: number) => Uint8Array): Promise<Buffer[]> {
  let next = 0;
  const sent = sizes.map((size) => Uint8Array.from({ length: size }, () => next++));
  const gathered: Buffer[] = [];
  for await (const piece of gatherPieces(sent, pieceBytes, allocate)) gathered.push(Buffer.from(piece));
  expect(Buffer.concat(gathered).equals(Buffer.concat(sent))).toBe(true);
  return gathered;
}

test.each<[number[], number[]]>([
  [[], []],
  [[0, 0], []],
  [[3], [3]],
  [[8], [8]],
  [[3, 5], [8]],
  [
    [3, 5, 1],
    [8, 1],
  ],
  [[20], [8, 8, 4]],
  [
    [7, 0, 10, 7],
    [8, 8, 8],
  ],
])('gatherPieces() turns chunks of %j bytes into pieces of %j bytes', async (sizes, gathered) => {
  expect((await pieces(sizes)).map(({ length }) => length)).toEqual(gathered);
});

test('gatherPieces() can reuse a buffer once its piece has been handled', async () => {
  const buffer = new Uint8Array(pieceBytes);
  let taken = 0;
  const take = (): Uint8Array => {
    taken++;
    return buffer;
  };
  expect(await pieces([20], take)).toHaveLength(3);
  expect(taken).toBe(3);
});
