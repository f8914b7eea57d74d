// Bugs that the contract has to find: above its diff each says in a sentence what is wrong, and of which row it is a
// breach. Tests that prove that row have to fail.
import { fileURLToPath } from 'node:url';
import { runTests } from '../../mutants/hunt.mjs';

export const contract = {
  folder: fileURLToPath(new URL('.', import.meta.url)),
  wanted: ['test/contract'],
  find(copy, patch) {
    const row = /^Row: (\S+)$/m.exec(patch)?.[1];
    if (!row) return { trouble: 'its patch names no row' };
    const title = `[\\[ ]${row.replaceAll('.', '\\.')}[,\\]]`;
    const output = runTests(copy, ['contract/memory', '-t', title], { TEST_DEPTH: 'full' });
    const [, failed] = /FAIL .* > ([^>\n]+?) \[/.exec(output) ?? [];
    if (failed && /Tests .*failed/.test(output)) return { caught: `${row}: ${failed}` };
    if (/Tests .*passed/.test(output) && !/failed/.test(output)) return { trouble: `NOT caught by ${row}` };
    return { trouble: `the contract did not run:\n${output.slice(-3_000)}` };
  },
};
