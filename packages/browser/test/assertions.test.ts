// @vitest-environment node
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';

const source = fileURLToPath(new URL('../src/', import.meta.url));

interface Assertions {
  casts: number;
  nonNull: number;
}

/** Counts the expressions of a file that overrule the compiler. `as const` overrules nothing. */
function countAssertions(code: string): Assertions {
  const counts = { casts: 0, nonNull: 0 };
  const visit = (node: ts.Node): void => {
    if (ts.isNonNullExpression(node)) counts.nonNull++;
    if (ts.isAsExpression(node) && !ts.isConstTypeReference(node.type)) counts.casts++;
    if (ts.isTypeAssertionExpression(node)) counts.casts++;
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('counted.ts', code, ts.ScriptTarget.Latest));
  return counts;
}

test('counts casts and non-null assertions', () => {
  const code = 'const a = b as C; const d = [1] as const; const e = f!.g!; const h = <I>j; // as comment!';
  expect(countAssertions(code)).toEqual({ casts: 2, nonNull: 2 });
});

test('the source has at most 10 casts and 2 non-null assertions per 1,000 lines', async () => {
  const files = (await readdir(source, { recursive: true })).filter((file) => file.endsWith('.ts'));
  const texts = await Promise.all(files.map((file) => readFile(join(source, file), 'utf8')));
  const thousands = texts.reduce((lines, text) => lines + text.split('\n').length - 1, 0) / 1_000;
  const total = { casts: 0, nonNull: 0 };
  for (const text of texts) {
    const { casts, nonNull } = countAssertions(text);
    total.casts += casts;
    total.nonNull += nonNull;
  }
  expect(thousands).toBeGreaterThan(1);
  expect(total.casts / thousands, `${total.casts} casts`).toBeLessThanOrEqual(10);
  expect(total.nonNull / thousands, `${total.nonNull} non-null assertions`).toBeLessThanOrEqual(2);
});
