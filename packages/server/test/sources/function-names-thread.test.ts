import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openFunctionNames, type FunctionNames } from '../../src/sources/function-names.ts';
import type { SourceText } from '../../src/sources/source-text.ts';

let names: FunctionNames;

beforeAll(() => {
  names = openFunctionNames();
});

afterAll(() => names.close());

/** A source that counts how often its text was asked for. */
function source(text: string | null, file = 'src/cart.ts'): SourceText & { loads: number } {
  const told = {
    hash: createHash('sha256')
      .update(text ?? 'none')
      .digest('hex')
      .slice(0, 32),
    file,
    bytes: Buffer.byteLength(text ?? ''),
    loads: 0,
    async text() {
      told.loads++;
      return text;
    },
  };
  return told;
}

describe('names of functions', () => {
  test('are read once a source, and known at once from then on', async () => {
    const cart = source('class Cart {\n  total() {\n    return 1;\n  }\n}\n');
    const first = [1, 2, 3, 6].map((line) => names.nameAt(cart, line, 4));
    expect(await Promise.all(first)).toEqual(['Cart', 'Cart.total', 'Cart.total', null]);
    expect(names.nameAt({ ...cart, file: '../../src/other.ts' }, 3, 4)).toBe('Cart.total');
    expect(cart.loads).toBe(1);
  });

  test('are read anew for a text that is written otherwise', async () => {
    const text = 'const total = () => <Sum>all;';
    expect(await names.nameAt(source(text, 'a.ts'), 1, 24)).toBe('total');
    expect(await names.nameAt(source(text, 'a.tsx'), 1, 24)).toBeUndefined();
  });

  test('of what can not be read are not known, and it is not read again', async () => {
    const broken = source('function (');
    expect(await names.nameAt(broken, 1, 1)).toBeUndefined();
    expect(names.nameAt(broken, 1, 1)).toBeUndefined();
    expect(broken.loads).toBe(1);
  });

  test('of what is too large or no script are not known, and it is not even loaded', () => {
    const large = { ...source('a'), bytes: 5 * 1024 * 1024 };
    const style = source('a {}', 'a.css');
    expect([names.nameAt(large, 1, 1), names.nameAt(style, 1, 1)]).toEqual([undefined, undefined]);
    expect([large.loads, style.loads]).toEqual([0, 0]);
  });

  test('of what can not be had now are asked for again', async () => {
    const away = source(null);
    expect(await names.nameAt(away, 1, 1)).toBeUndefined();
    expect(await names.nameAt(away, 1, 1)).toBeUndefined();
    expect(away.loads).toBe(2);
  });

  test('are told when the source before could not be read for its depth', async () => {
    expect(await names.nameAt(source('('.repeat(1_000_000)), 1, 1)).toBeUndefined();
    expect(await names.nameAt(source('function total() {}'), 1, 10)).toBe('total');
  });
});
