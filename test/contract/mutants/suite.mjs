// Bugs that the contract tests must catch. The text above the diff of each patch describes the bug in a sentence and
// names the requirement that it violates. A test that covers this requirement must fail.
import { fileURLToPath } from 'node:url';
import { runTests } from '../../mutants/run-mutants.mjs';

export const contractMutants = {
  folder: fileURLToPath(new URL('.', import.meta.url)),
  paths: ['test/contract'],
  detect(workspace, patch) {
    const requirement = /^Requirement: (\S+)$/m.exec(patch)?.[1];
    if (!requirement) return { problem: 'its patch names no requirement' };
    const title = `[\\[ ]${requirement.replaceAll('.', '\\.')}[,\\]]`;
    const output = runTests(workspace, ['contract/memory', '-t', title], { TEST_DEPTH: 'full' });
    const [, failed] = /FAIL .* > ([^>\n]+?) \[/.exec(output) ?? [];
    if (failed && /Tests .*failed/.test(output)) return { caughtBy: `${requirement}: ${failed}` };
    if (/Tests .*passed/.test(output) && !/failed/.test(output))
      return { problem: `NOT caught by the tests of ${requirement}` };
    return { problem: `the contract tests did not run:\n${output.slice(-3_000)}` };
  },
};
