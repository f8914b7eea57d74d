import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { ProjectSlots } from '../../../src/store/structures/project-slots.ts';

test('the slots of each project follow additions and removals in any order', () => {
  const slots = new ProjectSlots();
  const expected = new Map<number, Set<number>>([1, 2, 3].map((project) => [project, new Set()]));
  const owners = new Map<number, number>();
  let seed = 7;
  const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
  const wrongAt = (): number[] =>
    [...expected].flatMap(([project, found]) =>
      isDeepStrictEqual([...slots.of(project)].toSorted(), [...found].toSorted()) ? [] : project,
    );
  const wrong: number[] = [];
  for (let step = 0; step < 20_000; step++) {
    if (step % 500 === 0) wrong.push(...wrongAt());
    const slot = random(1_000);
    const owner = owners.get(slot);
    if (owner === undefined) {
      const project = 1 + random(3);
      slots.add(project, slot);
      expected.get(project)?.add(slot);
      owners.set(slot, project);
    } else {
      slots.remove(owner, slot);
      expected.get(owner)?.delete(slot);
      owners.delete(slot);
    }
  }
  expect(wrong).toEqual([]);
  expect(expected.get(1)?.size).toBeGreaterThan(50);
  for (const slot of slots.of(1)) slots.remove(1, slot);
  expect([...slots.of(1)]).toEqual([]);
  expect([...slots.of(2)]).toHaveLength(expected.get(2)?.size ?? 0);
});
