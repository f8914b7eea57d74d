// Builds one bug at a time into a copy of the server, and has a suite find it. Fails if a bug is not found, or if its
// patch no longer fits the code. `node test/mutants/run.mjs NAME` takes those whose name begins so.
import { anomalies } from '../anomalies/mutants/hunt.mjs';
import { contract } from '../contract/mutants/hunt.mjs';
import { hunt, patchesOf } from './hunt.mjs';

const only = process.argv[2] ?? '';
const hunts = [contract, anomalies].filter((each) => patchesOf(each, only).length > 0);
if (hunts.length === 0) {
  console.error(`No mutant's name begins with ${only}.`);
  process.exit(1);
}

const survivors = hunts.flatMap((each) => hunt(each, only));
if (survivors.length > 0) {
  console.error(`\nNot caught: ${survivors.join(', ')}`);
  process.exit(1);
}
console.log(`\nAll ${hunts.reduce((sum, each) => sum + patchesOf(each, only).length, 0)} mutants were caught.`);
