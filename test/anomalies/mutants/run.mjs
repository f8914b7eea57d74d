// Builds one bug at a time into a copy of the server and lives seeds of the simulation there, until one of them finds
// it. Fails if a bug is not found, or if its patch no longer fits the code.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A bug that so many seeds do not find is not found. */
const seeds = 150;

/** What the simulation needs of the workspace. */
const wanted = [
  'package.json',
  'tsconfig.json',
  'tsconfig.base.json',
  'vitest.workspace.ts',
  'packages/server',
  'packages/protocol',
  'test/anomalies',
];

const here = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('../../..', import.meta.url));
const only = process.argv[2];
const patches = readdirSync(here).filter((name) => name.endsWith('.patch') && (!only || name.startsWith(only)));
if (patches.length === 0) {
  console.error(`No mutant's name begins with ${only}.`);
  process.exit(1);
}

const survivors = [];
for (const [index, patch] of patches.entries()) {
  const name = basename(patch, '.patch');
  process.stdout.write(`[${index + 1}/${patches.length}] ${name}: `);
  const copy = copyWorkspace();
  try {
    const trouble = applyPatch(copy, join(here, patch)) ?? liveSeeds(copy);
    if (trouble) survivors.push(name);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
if (survivors.length > 0) {
  console.error(`\nNot caught: ${survivors.join(', ')}`);
  process.exit(1);
}
console.log(`\nAll ${patches.length} mutants were caught.`);

/** Dependencies are linked. */
function copyWorkspace() {
  const copy = mkdtempSync(join(tmpdir(), 'service-mutant-'));
  const isWanted = (path) => !/[\\/](node_modules|dist|coverage)$/.test(path);
  for (const path of wanted) cpSync(join(root, path), join(copy, path), { recursive: true, filter: isWanted });
  for (const folder of ['.', 'packages/server', 'packages/protocol'])
    symlinkSync(join(root, folder, 'node_modules'), join(copy, folder, 'node_modules'), 'junction');
  return copy;
}

function applyPatch(copy, patch) {
  // Outside of any repository, and with little regard to what stands around: the code may have moved a little.
  const { status, stderr } = spawnSync('git', ['apply', '-C1', '--recount', patch], {
    cwd: copy,
    encoding: 'utf8',
    env: { ...process.env, GIT_CEILING_DIRECTORIES: tmpdir() },
  });
  if (status === 0) return null;
  console.log(`the patch no longer fits.\n${stderr}`);
  console.log(
    `Make it again: build the same bug into the code, \`git diff -U2 > test/anomalies/mutants/${basename(patch)}\`, and take it out again.`,
  );
  return 'no patch';
}

/** Null if a seed has found the bug. */
function liveSeeds(copy) {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const args = [
    'run',
    '--config',
    'vitest.workspace.ts',
    '--project',
    'workspace',
    '--bail',
    '1',
    'anomalies/simulation',
  ];
  const { stdout, stderr } = spawnSync(process.execPath, [vitest, ...args], {
    cwd: copy,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
    env: { ...process.env, SEEDS: String(seeds), SEED: '', TEST_DEPTH: '', NO_COLOR: '1' },
  });
  const output = stdout + stderr;
  const [, found] = /Error: ([^\n]+)\n(?:[^\n]*\n){0,3}?Seed \d+ on \w+/.exec(output) ?? [];
  const [seed] = /Seed \d+ on \w+/.exec(output) ?? [];
  if (seed) {
    console.log(`caught by ${seed.toLowerCase()}: ${(found ?? '').slice(0, 140)}`);
    return null;
  }
  if (/Tests .*passed/.test(output) && !/failed/.test(output)) console.log(`NOT caught by ${seeds} seeds`);
  else console.log(`the simulation did not run:\n${output.slice(-3_000)}`);
  return 'not caught';
}
