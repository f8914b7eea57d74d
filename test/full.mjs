// Runs everything of `npm test`, and the long tests: many seeds, a failure in every storage operation, many rounds of
// kill -9, fresh projects that npm installs from the registry, the check of the release, and mutants. Prints the
// progress.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));

const steps = [
  ['setup', 'npm', ['run', '--silent', 'setup']],
  ['types, lint and format', 'npx', ['-y', '-p', 'pnpm@10.34.9', 'pnpm', '--silent', 'check']],
  [
    'all tests at full length',
    process.execPath,
    [vitest, 'run', '--config', 'vitest.workspace.ts', '--reporter', 'verbose'],
  ],
  ['release', process.execPath, ['release/check.mjs']],
  ['mutants', process.execPath, ['test/mutants/run.mjs']],
];

const began = Date.now();
for (const [index, [name, command, args]] of steps.entries()) {
  console.log(`\n[${index + 1}/${steps.length}] ${name} (${minutes()} min so far)`);
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32' && command !== process.execPath,
    env: { ...process.env, TEST_DEPTH: 'full' },
  });
  if (status !== 0) {
    console.error(`\n${name}: failed after ${minutes()} min`);
    process.exit(1);
  }
}
console.log(`\nAll steps passed in ${minutes()} min.`);

function minutes() {
  return ((Date.now() - began) / 60_000).toFixed(1);
}
