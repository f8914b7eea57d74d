import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { anomalyMutants } from '../anomalies/mutants/suite.mjs';
import { contractMutants } from '../contract/mutants/suite.mjs';
import { applyPatch, listPatches } from './run-mutants.mjs';

const root = dirname(dirname(import.meta.dirname));

const hasGit = spawnSync('git', ['--version']).status === 0;
if (!hasGit) console.warn('Git is not installed. The check that all mutants can be applied is skipped.');

/** `npm run test:mutants` takes too long for each run of the tests. A patch that no longer applies is found here. */
describe.skipIf(!hasGit).each([
  ['the contract', contractMutants],
  ['the simulation', anomalyMutants],
])('the mutants of %s', (_, { folder }) => {
  test.each(listPatches({ folder }, ''))('%s can be applied', (patch) => {
    expect(applyPatch(root, join(folder, patch), '--check')).toBeNull();
  });
});
