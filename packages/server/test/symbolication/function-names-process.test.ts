import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openFunctionNames, type FunctionNames } from '../../src/symbolication/function-names.ts';
import { StandbyProcess } from '../../src/symbolication/workers/standby-process.ts';
import { workerFile } from '../../src/symbolication/workers/worker-file.ts';
import type { SourceText } from '../../src/symbolication/source-text.ts';

let names: FunctionNames;
const warnings: unknown[] = [];

beforeAll(() => {
  names = openFunctionNames({
    warn: (error) => warnings.push(error),
    teamOf: (id) => id,
    onLateNames: () => undefined,
  });
});

afterAll(() => names.close());

/** Constructs that make parsers recurse: a piece to repeat, and the end that it may need. */
const deepTexts: [piece: string, end: string][] = [
  ['`${', ''],
  ['<a>{', ''],
  ['<a>', ''],
  ['<a b={', ''],
  ['(', ''],
  ['[', ''],
  ['!', '1'],
  ['+1', ''],
  ['a ? b : ', 'c'],
  ['if (a); else ', ''],
  ['new ', 'A'],
  ['x => ', '1'],
  ['class A { a() {', ''],
  ['class A { a = ', '1'],
  ['(a = { b: ', ''],
  ['async (', ''],
  ['function f(a = ', ''],
  ['.b', ''],
  ['a.b()', ''],
  ['let a: A<', ''],
  ['type A = keyof ', 'B'],
  ['type A = ((', ''],
  ['namespace a { ', ''],
  ['@a(class { ', ''],
  ['label: ', ''],
];

/** Returns a source that counts the reads of its text. */
function source(text: string | null, file = 'src/cart.ts'): SourceText & { loads: number } {
  const result = {
    hash: createHash('sha256')
      .update(text ?? 'none')
      .digest('hex')
      .slice(0, 32),
    file,
    bytes: Buffer.byteLength(text ?? ''),
    projectId: 1,
    loads: 0,
    async text() {
      result.loads++;
      return text;
    },
  };
  return result;
}

describe('function names', () => {
  test('are parsed once per source, and returned synchronously from then on', async () => {
    const cart = source('class Cart {\n  total() {\n    return 1;\n  }\n}\n');
    const first = [1, 2, 3, 6].map((line) => names.nameAt(cart, line, 4));
    expect(await Promise.all(first)).toEqual(['Cart', 'Cart.total', 'Cart.total', null]);
    expect(names.nameAt({ ...cart, file: '../../src/other.ts' }, 3, 4)).toBe('Cart.total');
    expect(cart.loads).toBe(1);
  });

  test('are parsed again for a different text', async () => {
    const text = 'const total = () => <Sum>all;';
    expect(await names.nameAt(source(text, 'a.ts'), 1, 24)).toBe('total');
    expect(await names.nameAt(source(text, 'a.tsx'), 1, 24)).toBeUndefined();
  });

  test('of a source that cannot be parsed are unknown, and it is not parsed again', async () => {
    const broken = source('function (');
    expect(await names.nameAt(broken, 1, 1)).toBeUndefined();
    expect(names.nameAt(broken, 1, 1)).toBeUndefined();
    expect(broken.loads).toBe(1);
  });

  test('of a large file or one without code are unknown, and it is not loaded', () => {
    const large = { ...source('a'), bytes: 5 * 1024 * 1024 };
    const style = source('a {}', 'a.css');
    expect([names.nameAt(large, 1, 1), names.nameAt(style, 1, 1)]).toEqual([undefined, undefined]);
    expect([large.loads, style.loads]).toEqual([0, 0]);
  });

  test('of a source that cannot be read now are requested again', async () => {
    const away = source(null);
    expect(await names.nameAt(away, 1, 1)).toBeUndefined();
    expect(await names.nameAt(away, 1, 1)).toBeUndefined();
    expect(away.loads).toBe(2);
  });

  test.each([
    ['a.js', '`${'.repeat(5_000)],
    ['a.js', '`${'.repeat(2_000)],
    ['a.js', '`${'.repeat(50_000)],
    ['a.tsx', '<a>{'.repeat(300_000)],
    ['a.ts', '('.repeat(1_000_000)],
    ['a.js', `x = ${'a.b()'.repeat(100_000)}`],
  ])('of %s are unknown if it nests too deep, and no process crashes (%#)', async (file, text) => {
    expect(await names.nameAt(source(text, file), 1, 1)).toBeUndefined();
    expect(await names.nameAt(source('function total() {}'), 1, 10)).toBe('total');
    expect(warnings).toEqual([]);
  });

  test('are parsed in sources that nest as deep as people write', async () => {
    const text = `function total() { return ${'('.repeat(200)}1${')'.repeat(200)} }`;
    expect(await names.nameAt(source(text, 'deep.ts'), 1, 20)).toBe('total');
  });
});

describe('the process that parses functions', () => {
  // Half of the stack that it has in the server. In the server, the parser thus gives up far from the end of the stack.
  const nodeFlags = ['--stack-size=2000'];

  test.each(deepTexts)(
    'does not crash on a source that repeats %j, also with half of its stack',
    async (piece, end) => {
      const reader = new StandbyProcess(workerFile('function-names-worker'), { idleMs: 60_000, nodeFlags });
      try {
        for (const kind of ['js', 'ts', 'tsx', 'page'] as const) {
          const text = piece.repeat(100_000) + end;
          const packed = await reader.ask({ text, kind }, 20_000);
          expect([null, expect.anything()]).toContainEqual(packed);
        }
      } finally {
        await reader.close();
      }
    },
  );
});
