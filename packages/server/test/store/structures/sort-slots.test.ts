import { expect, test } from 'vitest';
import { randomBelow } from '../../../../../test/test-utils/seeded-random.mjs';
import { sortSlots } from '../../../src/store/structures/sort-slots.ts';

test.each([1, 2, 1000, 2 ** 22, 2 ** 33, 2 ** 44, 2 ** 52])(
  'slots are sorted by numbers below %i, and equal numbers keep their order',
  (below) => {
    const random = randomBelow(below % 1000);
    for (const start of [0, 1_700_000_000_000]) {
      const column = Float64Array.from(
        { length: 3_000 },
        () => start + Math.floor((random(2 ** 31) / 2 ** 31) * below),
      );
      const slots = Int32Array.from({ length: 2_500 }, (_, index) => (index * 7) % 3_000);
      const sorted = [...slots].toSorted((a, b) => (column[a] ?? 0) - (column[b] ?? 0));
      expect([...sortSlots(slots, column)]).toEqual(sorted);
    }
  },
);

test('sorting no slots returns no slots', () => {
  expect(sortSlots(new Int32Array(0), new Float64Array(3))).toHaveLength(0);
});
