import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

const packages = fileURLToPath(new URL('../packages', import.meta.url));

/**
 * Names that two files of a package may declare, because an app loads one file or the other. The SDK has two entries
 * with an `init` each. Its development build replaces three modules. The bundler plugin has an entry for each bundler,
 * the mocks have one for each test runner and one for browsers.
 */
const alternatives: Record<string, string[]> = {
  browser: ['checkOptionValues', 'checkUserDetails', 'init', 'withAdvice'],
  'bundler-plugin': ['service'],
  mocks: ['mockService', 'serviceHandlers'],
};

/** Returns the names that a file declares at its top level, exported or not. Imported names are not declared. */
function topLevelNames(path: string, text: string): Set<string> {
  const names = new Set<string>();
  const addBinding = (name: ts.BindingName): void => {
    if (ts.isIdentifier(name)) names.add(name.text);
    else for (const element of name.elements) if (ts.isBindingElement(element)) addBinding(element.name);
  };
  for (const statement of ts.createSourceFile(path, text, ts.ScriptTarget.Latest).statements) {
    if (ts.isVariableStatement(statement))
      for (const { name } of statement.declarationList.declarations) addBinding(name);
    else if (
      ts.isFunctionDeclaration(statement) ||
      ts.isClassDeclaration(statement) ||
      ts.isInterfaceDeclaration(statement) ||
      ts.isTypeAliasDeclaration(statement) ||
      ts.isEnumDeclaration(statement)
    )
      names.add(statement.name?.text ?? 'default');
  }
  return names;
}

/** Returns the names that more than one file declares, each with these files. */
function findDoubles(files: Iterable<[path: string, text: string]>): Map<string, string[]> {
  const filesByName = new Map<string, string[]>();
  for (const [path, text] of files)
    for (const name of topLevelNames(path, text)) filesByName.set(name, [...(filesByName.get(name) ?? []), path]);
  return new Map([...filesByName].filter(([, paths]) => paths.length > 1));
}

function* readSources(name: string): Generator<[path: string, text: string]> {
  const folder = join(packages, name, 'src');
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    if (/\.[cm]?[jt]sx?$/.test(file)) yield [file, readFileSync(join(folder, file), 'utf8')];
}

const names = readdirSync(packages).filter((name) => name !== 'python');

describe.each(names)('%s', (name) => {
  const doubles = findDoubles(readSources(name));

  test('a top-level name is declared in one file only', () => {
    const allowed = new Set(alternatives[name]);
    expect(Object.fromEntries([...doubles].filter(([double]) => !allowed.has(double)))).toEqual({});
  });

  test('an exception is still needed', () => {
    expect((alternatives[name] ?? []).filter((double) => !doubles.has(double))).toEqual([]);
  });
});

test.each([
  ['constants', 'const a = 1;', 'export const a = 2;'],
  ['destructured constants', 'export const { b: [a] } = x;', 'const a = 2;'],
  ['functions', 'function a() {}', 'export async function a() {}'],
  ['classes', 'class a {}', 'export abstract class a {}'],
  ['types', 'type a = string;', 'export interface a {}'],
  ['a constant and a type', 'const a = 1;', 'type a = string;'],
  ['default exports', 'export default function () {}', 'export default class {}'],
])('finds %s of the same name in two files', (_what, first, second) => {
  const doubles = findDoubles([
    ['first.ts', first],
    ['second.ts', second],
  ]);
  expect([...doubles.values()]).toEqual([['first.ts', 'second.ts']]);
});

test('ignores names of one file, and names that are imported, exported again or declared inside a function', () => {
  const doubles = findDoubles([
    ['first.ts', 'export const a = 1; export type a = number; const b = 1;'],
    ['second.ts', `import { a } from './first.ts'; export { a }; function c() { const b = a; return b; }`],
  ]);
  expect(doubles).toEqual(new Map());
});
