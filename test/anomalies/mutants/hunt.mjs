// Bugs that the simulation has to find: it lives seeds until one of them does.
import { fileURLToPath } from 'node:url';
import { runTests } from '../../mutants/hunt.mjs';

/** A bug that so many seeds do not find is not found. */
const seeds = 150;

export const anomalies = {
  folder: fileURLToPath(new URL('.', import.meta.url)),
  wanted: ['test/anomalies', 'test/test-utils'],
  find(copy) {
    const output = runTests(copy, ['anomalies/simulation'], { SEEDS: String(seeds), SEED: '' });
    const [, found] = /Error: ([^\n]+)\n(?:[^\n]*\n){0,3}?Seed \d+ on \w+/.exec(output) ?? [];
    const [seed] = /Seed \d+ on \w+/.exec(output) ?? [];
    if (seed) return { caught: `${seed.toLowerCase()}: ${(found ?? '').slice(0, 140)}` };
    if (/Tests .*passed/.test(output) && !/failed/.test(output)) return { trouble: `NOT caught by ${seeds} seeds` };
    return { trouble: `the simulation did not run:\n${output.slice(-3_000)}` };
  },
};
