import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { anomalyMutants } from '../anomalies/mutants/suite.mjs';
import { requirements } from '../contract/requirements.ts';
import { contractMutants } from '../contract/mutants/suite.mjs';
import { listPatches } from './run-mutants.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

const hasGit = spawnSync('git', ['--version']).status === 0;
if (!hasGit) console.warn('Git is missing, so it is not checked whether the mutants can be applied.');

/** `npm run test:mutants` takes too long for each run of the tests. A patch that no longer applies is found here. */
describe.skipIf(!hasGit).each([
  ['the contract', contractMutants],
  ['the simulation', anomalyMutants],
])('the mutants of %s', (_, { folder }) => {
  test.each(listPatches({ folder }, ''))('%s can be applied', (patch) => {
    const { status, stderr } = spawnSync('git', ['apply', '--check', '-C1', '--recount', join(folder, patch)], {
      cwd: root,
      encoding: 'utf8',
    });
    expect(status, stderr).toBe(0);
  });
});

test('each mutant of the contract violates a known requirement', () => {
  const violated = listPatches(contractMutants, '').map(
    (patch) => /^Requirement: (\S+)$/m.exec(readFileSync(join(contractMutants.folder, patch), 'utf8'))?.[1] ?? patch,
  );
  expect(violated.filter((each) => !(each in requirements))).toEqual([]);
});
