import { expect, test } from 'vitest';
import { BodyTurns, type BodyTurn } from '../../src/http/body-turns.ts';

/** Bodies that take turns, by a clock that the test advances. */
function startTurns(): {
  join: (name: string) => BodyTurn;
  paused: Set<string>;
  pass: (ms: number) => void;
  isChecking: () => boolean;
} {
  let time = 0;
  let check: (() => void) | null = null;
  const bodies = new BodyTurns({
    now: () => time,
    every(_ms, work) {
      check = work;
      return () => (check = null);
    },
  });
  const paused = new Set<string>();
  return {
    join: (name) => bodies.join({ pause: () => paused.add(name), resume: () => paused.delete(name) }),
    paused,
    pass(ms) {
      time += ms;
      check?.();
    },
    isChecking: () => check !== null,
  };
}

test('eight large bodies are read at a time, and the others follow in their order', () => {
  const { join, paused } = startTurns();
  const joined = Array.from({ length: 11 }, (_, index) => join(`body ${index}`));
  expect([...paused]).toEqual(['body 8', 'body 9', 'body 10']);
  joined[3]?.end();
  expect([...paused]).toEqual(['body 9', 'body 10']);
  joined[9]?.end();
  joined[0]?.end();
  expect(paused.has('body 10')).toBe(false);
});

test('a body that stalls loses its turn, and waits for another turn when it continues', () => {
  const { join, paused, pass } = startTurns();
  const joined = Array.from({ length: 9 }, (_, index) => join(`body ${index}`));
  pass(6);
  for (const turn of joined.slice(1, 8)) turn.receive();
  pass(6);
  expect([...paused]).toEqual([]);
  joined[0]?.receive();
  expect([...paused]).toEqual(['body 0']);
  joined[8]?.end();
  expect([...paused]).toEqual([]);
});

test('a body that has ended takes no turn, and no timer runs while no body waits', () => {
  const { join, paused, isChecking } = startTurns();
  const joined = Array.from({ length: 9 }, (_, index) => join(`body ${index}`));
  expect(isChecking()).toBe(true);
  for (const turn of joined) turn.end();
  for (const turn of joined) turn.receive();
  expect(isChecking()).toBe(false);
  expect(Array.from({ length: 8 }, (_, index) => join(`later ${index}`))).toHaveLength(8);
  expect(paused.has('later 7')).toBe(false);
});
