import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listPatches } from '../mutants/run-mutants.mjs';
import { contractMutants } from './mutants/suite.mjs';
import { requirements } from './requirements.ts';
import { suites } from './suites.ts';

const tests = suites.flatMap((suite) => suite.tests);

test('every requirement of the contract is covered by a test', () => {
  const covered = new Set<string>(tests.flatMap(({ covers }) => covers));
  expect(Object.keys(requirements).filter((id) => !covered.has(id))).toEqual([]);
});

test('every contract test covers at least one requirement, and only existing ones', () => {
  const unknown = tests.flatMap(({ covers }) => covers).filter((id) => !Object.hasOwn(requirements, id));
  expect(unknown).toEqual([]);
  expect(tests.filter(({ covers }) => covers.length === 0).map(({ title }) => title)).toEqual([]);
});

test('every contract test has a unique title and sends requests', () => {
  const titles = tests.map(({ title }) => title);
  expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
  expect(tests.filter(({ steps, run }) => !steps && !run).map(({ title }) => title)).toEqual([]);
});

test('each mutant of the contract violates a known requirement', () => {
  const violated = listPatches(contractMutants, '').map(
    (patch) => /^Requirement: (\S+)$/m.exec(readFileSync(join(contractMutants.folder, patch), 'utf8'))?.[1] ?? patch,
  );
  expect(violated.filter((each) => !(each in requirements))).toEqual([]);
});
