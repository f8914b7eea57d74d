import { expect, test } from 'vitest';
import { PartReader, packPart } from '../../src/cluster/peer-framing.ts';

const parts = [
  { head: { index: 0, name: 'ä' }, body: Buffer.from('{"message":"first"}') },
  { head: {}, body: Buffer.alloc(0) },
  { head: { index: 2 }, body: Buffer.alloc(3_000, 'x') },
];
const bytes = Buffer.concat(parts.map(({ head, body }) => packPart(head, body)));

test.each([1, 7, 8, 9, 1_000, bytes.length])('parts that arrive in pieces of %i bytes are read whole', (size) => {
  const reader = new PartReader();
  const read = [];
  for (let at = 0; at < bytes.length; at += size) read.push(...reader.push(bytes.subarray(at, at + size)));
  expect(read).toEqual(parts);
});

test.each([
  ['a head', [0xffffff, 0]],
  ['a body', [2, 0xffffffff]],
])('%s of impossible size is rejected before it arrives', (_, [head = 0, body = 0]) => {
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32LE(head, 0);
  lengths.writeUInt32LE(body, 4);
  expect(() => new PartReader().push(lengths)).toThrow('The part is too large.');
});
