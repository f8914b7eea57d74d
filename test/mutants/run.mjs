// Runs all mutants: each is a bug that a test suite must catch. Exits with 1 if a mutant is not caught or its patch no
// longer applies. `node test/mutants/run.mjs PREFIX` runs the mutants whose names start with PREFIX.
import { anomalyMutants } from '../anomalies/mutants/suite.mjs';
import { contractMutants } from '../contract/mutants/suite.mjs';
import { listPatches, runMutants } from './run-mutants.mjs';

const prefix = process.argv[2] ?? '';
const suites = [contractMutants, anomalyMutants].filter((suite) => listPatches(suite, prefix).length > 0);
if (suites.length === 0) {
  console.error(`There is no mutant whose name starts with "${prefix}".`);
  process.exit(1);
}

const survivors = suites.flatMap((suite) => runMutants(suite, prefix));
if (survivors.length > 0) {
  console.error(`\nNot caught: ${survivors.join(', ')}`);
  process.exit(1);
}
const count = suites.reduce((sum, suite) => sum + listPatches(suite, prefix).length, 0);
console.log(`\nAll ${count} mutants were caught.`);
