import { expect, test } from 'vitest';
import { ChunkList } from '../../../src/store/codec/chunk-list.ts';

const body = Buffer.from(Uint8Array.from({ length: 200_000 }, (_, index) => index % 251));

/** Cuts the body into chunks whose sizes repeat. */
function* chunksOf(sizes: readonly number[]): Generator<Buffer> {
  for (let at = 0, index = 0; at < body.length; index++) {
    const next = body.subarray(at, at + (sizes[index % sizes.length] ?? 1));
    at += next.length;
    // A chunk from a connection has a buffer to itself.
    const chunk = Buffer.allocUnsafeSlow(next.length);
    next.copy(chunk);
    yield chunk;
  }
}

test.each([
  ['single bytes', [1]],
  ['small and large chunks in turn', [1, 1_024]],
  ['chunks just below the size of a large one', [1_023]],
  ['small chunks after large ones', [60_000, 1, 1, 1]],
  ['large chunks', [16_384]],
])('%s come back whole, and take at most twice their size', (_name, sizes) => {
  const list = new ChunkList();
  for (const chunk of chunksOf(sizes)) list.push(chunk);
  expect(list.size).toBe(body.length);
  expect(list.join().equals(body)).toBe(true);
  expect(Buffer.concat(list.chunks).equals(body)).toBe(true);
  const held = new Set(list.chunks.map((chunk) => chunk.buffer));
  expect([...held].reduce((sum, { byteLength }) => sum + byteLength, 0)).toBeLessThanOrEqual(2 * body.length);
  expect(list.chunks.length).toBeLessThan(body.length / 200);
});

test('a body of one chunk is not copied, and a cleared list is empty', () => {
  const list = new ChunkList();
  const chunk = Buffer.from('one');
  list.push(chunk);
  expect(list.join()).toBe(chunk);
  list.clear();
  expect(list.size).toBe(0);
  expect(list.join()).toHaveLength(0);
});
