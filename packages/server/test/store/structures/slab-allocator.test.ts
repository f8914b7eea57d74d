import { expect, test } from 'vitest';
import { randomBelow } from '../../../../../test/test-utils/seeded-random.mjs';
import { SlabAllocator } from '../../../src/store/structures/slab-allocator.ts';

test('cells of any size keep their bytes while others are added, changed and freed', () => {
  const random = randomBelow(7);
  const addresses: number[] = [];
  const held = new Map<number, Buffer>();
  const cells = new SlabAllocator((owner, address) => (addresses[owner] = address));
  for (let step = 0; step < 60_000; step++) {
    // Alternate between growth and shrinkage, so that whole pages become empty.
    const owner = random(1 + (step % 20_000 < 12_000 ? 2_000 : 100));
    const back = addresses[owner] ?? 0;
    if (back !== 0 && random(3) === 0) {
      cells.free(back);
      addresses[owner] = 0;
      held.delete(owner);
      continue;
    }
    const size = random(50) === 0 ? random(100_000) : random(random(2) ? 700 : 100);
    const bytes = Buffer.alloc(size + 5, step % 251);
    addresses[owner] = 0;
    addresses[owner] = cells.put(owner, bytes, 3, size + 3, back, random(2) * 20);
    held.set(owner, bytes.subarray(3, size + 3));
    if (step % 5_000 !== 0) continue;
    for (const [known, kept] of held) expect(bytesAt(cells, addresses[known] ?? 0).equals(kept)).toBe(true);
  }
  for (const [owner, bytes] of held) expect(bytesAt(cells, addresses[owner] ?? 0).equals(bytes)).toBe(true);
});

test('pages of a cell size that is no longer used are freed', () => {
  const addresses: number[] = [];
  const cells = new SlabAllocator((owner, address) => (addresses[owner] = address));
  const random = randomBelow(8);
  const owners = Array.from({ length: 20_000 }, (_, owner) => owner);
  for (const owner of owners) addresses[owner] = cells.put(owner, Buffer.alloc(300, 1), 0, 300, 0);
  const before = cells.sizeBytes;
  for (let left = owners.length; left > 0; left--) {
    // Pick the cells in random order.
    const [owner = 0] = owners.splice(random(left), 1);
    const back = addresses[owner] ?? 0;
    addresses[owner] = cells.put(owner, Buffer.alloc(350, 2), 0, 350, back);
    expect(cells.sizeBytes).toBeLessThan(before * 1.5);
  }
  expect(addresses.every((address) => bytesAt(cells, address).equals(Buffer.alloc(350, 2)))).toBe(true);
});

function bytesAt(cells: SlabAllocator, address: number): Buffer {
  return cells.page(address).subarray(cells.start(address), cells.end(address));
}

test('writeEnd() replaces the end of a cell if the new end fits', () => {
  const cells = new SlabAllocator(() => undefined);
  const address = cells.put(1, Buffer.from('state and end'), 0, 13, 0, 10);
  const next = cells.put(2, Buffer.from('the next one'), 0, 12, 0, 11);
  expect(cells.writeEnd(address, 9, Buffer.from(' other end'), 10)).toBe(true);
  expect(cells.page(address).toString('latin1', cells.start(address), cells.end(address))).toBe('state and other end');
  expect(cells.writeEnd(address, 9, Buffer.alloc(100), 100)).toBe(false);
  expect(cells.page(next).toString('latin1', cells.start(next), cells.end(next))).toBe('the next one');
});
