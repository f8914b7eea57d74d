import { limits, type StoredReport } from '@service/protocol';
import { describe, expect, test } from 'vitest';
import { parseReport } from '../../src/report/parse-report.ts';

const frame = { function: 'Cart.total', file: '/srv/shop/cart.py', line: 7, column: null };

function read(exceptions: unknown): StoredReport {
  return parseReport({ message: 'x', exceptions }, { userAgent: null, receivedAt: 0 }).whole();
}

describe('the exceptions of a report', () => {
  test('are stored with every known field', () => {
    const sent = [
      {
        type: 'shop.CartError',
        message: 'no cart',
        relation: null,
        frames: [
          {
            ...frame,
            module: 'shop.cart',
            in_app: true,
            context: [{ line: 7, text: 'return sum(rows)' }],
            variables: { rows: '[1, None]' },
          },
        ],
      },
      { type: 'KeyError', message: "'a'", relation: 'cause', frames: [frame] },
    ];
    expect(read(sent)).toMatchObject({ exceptions: sent, truncated: {} });
  });

  test('may have a single field', () => {
    expect(read([{ type: 'KeyError' }]).exceptions).toEqual([
      { type: 'KeyError', message: null, relation: null, frames: [] },
    ]);
    const empty = { function: null, file: null, line: null, column: null };
    expect(read([{ frames: [{}] }]).exceptions).toEqual([
      { type: null, message: null, relation: null, frames: [empty] },
    ]);
  });

  test.each([
    ['text', 'no'],
    ['an object', { type: 'KeyError' }],
    ['an empty list', []],
    ['nothing readable', [null, 1, 'x', {}, { frames: {} }, { type: 5 }]],
  ])('are dropped if they are %s', (_what, exceptions) => {
    expect(read(exceptions)).toMatchObject({ exceptions: null, truncated: { exceptions: 'dropped' } });
  });

  test('are stored without their unreadable parts', () => {
    const { exceptions, truncated } = read([
      null,
      {
        type: 'KeyError',
        relation: 'friend',
        frames: [
          1,
          { function: 5, file: 'a.py', line: -1, column: 1e99, in_app: 'yes', module: 7, context: 'x', variables: [] },
        ],
      },
    ]);
    expect(exceptions).toEqual([
      {
        type: 'KeyError',
        message: null,
        relation: null,
        frames: [{ function: null, file: 'a.py', line: null, column: null }],
      },
    ]);
    expect(truncated).toEqual({ exceptions: 2 });
  });

  test('are truncated to their limits', () => {
    const long = 'x'.repeat(10_000);
    const context = Array.from({ length: 50 }, (_, index) => ({ line: index + 1, text: long }));
    const variables = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`v${index}`, long]));
    const frames = Array.from({ length: 300 }, (_, index) => ({ ...frame, function: `f${index}` }));
    const { exceptions, truncated } = read([
      { type: long, message: long, frames: [{ ...frame, function: long, file: long, line: 20, context, variables }] },
      { type: 'A', frames },
      ...Array.from({ length: 20 }, () => ({ type: 'B' })),
    ]);
    expect(truncated).toEqual({ exceptions: 22 });
    expect(exceptions).toHaveLength(limits.exceptions);
    const [first] = exceptions![0]!.frames;
    expect(first!.function).toHaveLength(limits.frameNameChars + '…[truncated]'.length);
    expect(first!.context!.map(({ line }) => line)).toEqual([15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25]);
    expect(Object.keys(first!.variables!)).toHaveLength(limits.frameVariables);
    const names = exceptions![1]!.frames.map(({ function: name }) => name);
    expect(names).toHaveLength(limits.exceptionFrames);
    expect([names[0], names[79], names[80], names.at(-1)]).toEqual(['f0', 'f79', 'f280', 'f299']);
  });

  test('lose variables first, then source lines, if they are too large', () => {
    const context = Array.from({ length: 11 }, (_, index) => ({ line: index + 2, text: 'y'.repeat(250) }));
    const big = { ...frame, context, variables: { a: 'z'.repeat(400) } };
    const { exceptions, truncated } = read([{ type: 'A', frames: Array.from({ length: 100 }, () => big) }]);
    expect(Buffer.byteLength(JSON.stringify(exceptions))).toBeLessThanOrEqual(limits.exceptionsBytes);
    expect(exceptions![0]!.frames[0]!.context).toHaveLength(11);
    expect(exceptions![0]!.frames[0]).not.toHaveProperty('variables');
    expect(exceptions![0]!.frames.at(-1)).not.toHaveProperty('context');
    expect(truncated).toEqual({ exceptions: 1 });
  });

  test('never take more bytes than the limit, whatever their texts are', () => {
    const wide = '\u0000'.repeat(2_000);
    const frames = Array.from({ length: 100 }, () => ({ function: wide, file: wide, module: wide, line: 1 }));
    const { exceptions } = read(Array.from({ length: 10 }, () => ({ type: wide, message: wide, frames })));
    expect(Buffer.byteLength(JSON.stringify(exceptions))).toBeLessThanOrEqual(limits.exceptionsBytes);
  });
});
