import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { entryVersion, oldestEntryVersion } from '../../src/store/records/entry.ts';
import { groupFields, levels, reportColumns } from '../../src/store/records/columns-and-fields.ts';

/*
 * Each format has a recorded schema, which never changes again. A change of what is stored needs the next format: raise
 * `entryVersion`, then run this test with RECORD_FORMAT=1, and add a storage with `write-storage.mjs`. See decision
 * 0045.
 */

const source = fileURLToPath(new URL('../../src/store/records/entry.ts', import.meta.url));

function recordOf(version: number): string {
  return fileURLToPath(new URL(`./schemas/format-${version}.json`, import.meta.url));
}

/** Describes the types of everything that is stored, down to their last field. */
function describeTypes(): Record<string, unknown> {
  const program = ts.createProgram([source], {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    allowImportingTsExtensions: true,
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    types: ['node'],
  });
  const checker = program.getTypeChecker();
  const typeNamed = (file: string, name: string): ts.Type => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(file) as ts.Node) as ts.Symbol;
    const symbol = checker.getExportsOfModule(module).find((each) => each.name === name) as ts.Symbol;
    return checker.getDeclaredTypeOfSymbol(symbol);
  };
  const tables = source.replace('entry.ts', 'tables.ts');
  const entries = typeNamed(source, 'Entry') as ts.UnionType;
  return {
    entries: entries.types
      .filter((type) => !isOfTable(checker, type))
      .map((type) => describeType(checker, type))
      .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
    tables: describeType(checker, typeNamed(tables, 'Records')),
  };
}

/** The entries `put` and `remove` exist for each table. The tables are described once. */
function isOfTable(checker: ts.TypeChecker, type: ts.Type): boolean {
  return checker.getPropertyOfType(type, 'table') !== undefined;
}

function describeType(checker: ts.TypeChecker, type: ts.Type): unknown {
  if (type.isUnion())
    return type.types
      .map((each) => describeType(checker, each))
      .map((each) => (typeof each === 'string' ? each : JSON.stringify(each)))
      .toSorted()
      .join(' | ');
  const text = checker.typeToString(type);
  const isPlain = (type.flags & ts.TypeFlags.Object) === 0;
  if (isPlain || /^(Uint8Array|Buffer)\b/.test(text)) return text;
  if (checker.isArrayType(type) || checker.isTupleType(type))
    return checker.getTypeArguments(type as ts.TypeReference).map((each) => describeType(checker, each));
  return Object.fromEntries(
    checker.getPropertiesOfType(type).map((property) => {
      const isOptional = (property.flags & ts.SymbolFlags.Optional) !== 0;
      const described = describeType(checker, checker.getTypeOfSymbol(property));
      return [`${property.name}${isOptional ? '?' : ''}`, described];
    }),
  );
}

test('the schema of stored data is the recorded schema of the current format', () => {
  const columns = Object.entries(reportColumns).map(([name, { type }]) => ({ name, type }));
  const fields = groupFields.map(({ name, kind, ...rest }) => ({
    name,
    kind,
    ...('of' in rest && { of: rest.of }),
    ...('plain' in rest && { plain: rest.plain }),
  }));
  const schema = { format: entryVersion, levels, columns, fields, ...describeTypes() };
  const text = `${JSON.stringify(schema, null, 2)}\n`;
  const path = recordOf(entryVersion);
  if (process.env.RECORD_FORMAT && !existsSync(path)) writeFileSync(path, text);
  expect(existsSync(path), `Format ${entryVersion} is new: record its schema with RECORD_FORMAT=1.`).toBe(true);
  expect(
    JSON.parse(text),
    `What is stored has changed since format ${entryVersion} was recorded. Older servers would lose the change: raise entryVersion in store/records/entry.ts, or, if format ${entryVersion} is not merged yet, delete its record and record it again.`,
  ).toEqual(JSON.parse(readFileSync(path, 'utf8')));
  expect(text).toContain('code_locations');
  expect(text).toContain('group.culprit');
});

test.each(['columns', 'fields', 'levels'] as const)(
  'the %s of the previous format are followed by the new ones',
  (name) => {
    const before = JSON.parse(readFileSync(recordOf(entryVersion - 1), 'utf8')) as Record<typeof name, unknown[]>;
    const now = { columns: Object.keys(reportColumns), fields: groupFields, levels }[name].map(nameOf);
    expect(now.slice(0, before[name].length), 'Their order is the order on disk. New ones go to the end.').toEqual(
      before[name].map(nameOf),
    );
  },
);

const nameOf = (row: unknown): unknown => (typeof row === 'object' ? (row as { name: string }).name : row);

test('every format after the oldest readable one has a recorded schema', () => {
  const recorded = Array.from({ length: entryVersion }, (_, index) => index + 1).filter((version) =>
    existsSync(recordOf(version)),
  );
  // Format 2 grew without a record.
  expect(recorded).toEqual(
    Array.from({ length: entryVersion - oldestEntryVersion }, (_, index) => oldestEntryVersion + 1 + index),
  );
});
