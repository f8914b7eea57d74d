// Bugs that the simulation must catch: it runs seeds until one of them fails. The text above the diff of each patch
// describes the bug.
import { fileURLToPath } from 'node:url';
import { runTests } from '../../mutants/run-mutants.mjs';

/** A mutant that survives this number of seeds counts as not caught. */
const seeds = 150;

export const anomalyMutants = {
  folder: fileURLToPath(new URL('.', import.meta.url)),
  paths: ['test/anomalies'],
  detect(workspace) {
    const output = runTests(workspace, ['anomalies/simulation'], { SEEDS: String(seeds), SEED: '' });
    const [, message] = /Error: ([^\n]+)\n(?:[^\n]*\n){0,3}?Seed \d+ on \w+/.exec(output) ?? [];
    const [seed] = /Seed \d+ on \w+/.exec(output) ?? [];
    if (seed) return { caughtBy: `${seed.toLowerCase()}: ${(message ?? '').slice(0, 140)}` };
    if (/Tests .*passed/.test(output) && !/failed/.test(output)) return { problem: `NOT caught by ${seeds} seeds` };
    return { problem: `the simulation did not run:\n${output.slice(-3_000)}` };
  },
};
