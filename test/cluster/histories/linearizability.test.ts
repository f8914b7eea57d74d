import { describe, expect, test } from 'vitest';
import { isLinearizable, type Operation, type SequentialModel } from './linearizability.ts';

type Input = { write: number } | 'read';

/** A register. The output of a write is its value. */
const register: SequentialModel<number, Input, number> = {
  initial: 0,
  apply(state, input, output) {
    if (input !== 'read') return [input.write];
    return output === null || output === state ? [state] : [];
  },
};

function operation(input: Input, output: number | null, beganAt: number, endedAt: number): Operation<Input, number> {
  return { input, output, beganAt, endedAt };
}

const write = (value: number, from: number, to: number): Operation<Input, number> =>
  operation({ write: value }, value, from, to);
const read = (value: number, from: number, to: number): Operation<Input, number> => operation('read', value, from, to);
const unknownWrite = (value: number, from: number): Operation<Input, number> =>
  operation({ write: value }, null, from, Infinity);

describe('the checker of histories', () => {
  test.each([
    ['nothing', []],
    ['a read after a write', [write(1, 1, 2), read(1, 3, 4)]],
    ['both values during a write', [write(1, 1, 6), read(0, 2, 3), read(1, 4, 5)]],
    ['two writes at once, in either order', [write(1, 1, 4), write(2, 2, 3), read(1, 5, 6)]],
    ['a write of unknown outcome that took effect late', [unknownWrite(1, 1), read(0, 2, 3), read(1, 4, 5)]],
    ['a write of unknown outcome that took no effect', [unknownWrite(1, 1), read(0, 2, 3)]],
  ])('accepts %s', (_, history) => {
    expect(isLinearizable(history, register)).toBe(true);
  });

  test.each([
    ['a read that misses an earlier write', [write(1, 1, 2), read(0, 3, 4)]],
    ['a value that was never written', [write(1, 1, 2), read(2, 1, 2)]],
    ['a read that goes back', [write(1, 1, 8), read(1, 2, 3), read(0, 4, 5)]],
    ['two readers that disagree', [write(1, 1, 2), write(2, 1, 2), read(1, 3, 4), read(2, 5, 6), read(1, 7, 8)]],
    ['an effect before the call', [read(1, 1, 2), write(1, 3, 4)]],
    ['a write of unknown outcome that is undone', [unknownWrite(1, 1), read(1, 2, 3), read(0, 4, 5)]],
  ])('rejects %s', (_, history) => {
    expect(isLinearizable(history, register)).toBe(false);
  });
});
