import { expect, test } from 'vitest';
import { ByteCells } from '../../src/store/byte-cells.ts';
import { seededRandom } from './random-session.ts';

test('pieces of any size keep their bytes while others come, change and go', () => {
  const random = seededRandom(7);
  const cells = new ByteCells();
  const held = new Map<number, Buffer>();
  for (let step = 0; step < 30_000; step++) {
    const places = held.size > 300 ? [...held.keys()] : [];
    const known = places[random(places.length)] ?? 0;
    if (known !== 0 && random(3) === 0) {
      cells.free(known);
      held.delete(known);
      continue;
    }
    const size = random(20) === 0 ? random(100_000) : random(700);
    const bytes = Buffer.alloc(size + 5, step % 251);
    const back = random(2) === 0 ? known : 0;
    if (back !== 0) held.delete(back);
    const place = cells.put(bytes, 3, size + 3, back, random(2) * 20);
    expect(held.has(place)).toBe(false);
    held.set(place, bytes.subarray(3, size + 3));
  }
  for (const [place, bytes] of held) {
    expect(cells.page(place).subarray(cells.start(place), cells.end(place)).equals(bytes)).toBe(true);
  }
});

test('what stands behind the first bytes of a piece is replaced where there is room', () => {
  const cells = new ByteCells();
  const place = cells.put(Buffer.from('state and end'), 0, 13, 0, 10);
  const next = cells.put(Buffer.from('the next one'), 0, 12, 0, 11);
  expect(cells.writeEnd(place, 9, Buffer.from(' other end'), 10)).toBe(true);
  expect(cells.page(place).toString('latin1', cells.start(place), cells.end(place))).toBe('state and other end');
  expect(cells.writeEnd(place, 9, Buffer.alloc(100), 100)).toBe(false);
  expect(cells.page(next).toString('latin1', cells.start(next), cells.end(next))).toBe('the next one');
});
