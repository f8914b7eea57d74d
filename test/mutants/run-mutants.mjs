// Applies mutants (known bugs, as patches) to a copy of the workspace and runs a test suite on each.
//
// A mutant suite is { folder, paths, detect }: the folder of its patches, the workspace paths that its tests need
// besides the common ones, and `detect(workspace, patch)`, which runs the tests in the copy. `detect` returns `{
// caughtBy }` with the test that failed, or `{ problem }` with the reason why the mutant was not caught.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Workspace paths that every suite needs. */
const commonPaths = [
  'package.json',
  'tsconfig.json',
  'tsconfig.base.json',
  'vitest.workspace.ts',
  'packages/server',
  'packages/protocol',
  'test/test-utils',
];

/** Lists the patches of a suite whose names start with the prefix. */
export function listPatches({ folder }, prefix) {
  return readdirSync(folder).filter((name) => name.endsWith('.patch') && name.startsWith(prefix));
}

/** Runs the mutants of a suite and returns the names of those that were not caught. */
export function runMutants(suite, prefix) {
  const patches = listPatches(suite, prefix);
  const survivors = [];
  for (const [index, patch] of patches.entries()) {
    const name = basename(patch, '.patch');
    process.stdout.write(`[${index + 1}/${patches.length}] ${name}: `);
    const workspace = copyWorkspace(suite.paths);
    try {
      const patchPath = join(suite.folder, patch);
      const applyError = applyPatch(workspace, patchPath);
      const { caughtBy, problem } = applyError
        ? { problem: applyError }
        : suite.detect(workspace, readFileSync(patchPath, 'utf8'));
      if (caughtBy === undefined) survivors.push(name);
      console.log(caughtBy === undefined ? problem : `caught by ${caughtBy}`);
    } finally {
      rmSync(workspace, { recursive: true, force: true });
    }
  }
  return survivors;
}

/** Runs vitest in the workspace copy, up to the first failure, and returns its output. */
export function runTests(workspace, args, env = {}) {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const allArgs = ['run', '--config', 'vitest.workspace.ts', '--project', 'workspace', '--bail', '1', ...args];
  const { stdout, stderr } = spawnSync(process.execPath, [vitest, ...allArgs], {
    cwd: workspace,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
    env: { ...process.env, TEST_DEPTH: '', NO_COLOR: '1', ...env },
  });
  return stdout + stderr;
}

/** Copies the workspace to a temporary folder. Dependencies are symlinked. */
function copyWorkspace(suitePaths) {
  const workspace = mkdtempSync(join(tmpdir(), 'service-mutant-'));
  const isSource = (path) => !/[\\/](node_modules|dist|coverage)$/.test(path);
  for (const path of [...commonPaths, ...suitePaths])
    cpSync(join(root, path), join(workspace, path), { recursive: true, filter: isSource });
  for (const folder of ['.', 'packages/server', 'packages/protocol'])
    symlinkSync(join(root, folder, 'node_modules'), join(workspace, folder, 'node_modules'), 'junction');
  return workspace;
}

/** Applies a patch, or only checks it with `--check`. Returns null, or a message that says how to repair the patch. */
export function applyPatch(workspace, patchPath, ...flags) {
  // One line of context is enough, because the code around a mutant may have changed. The ceiling keeps git from
  // finding a repository above the temporary folder, where it would apply nothing.
  const { status, stderr } = spawnSync('git', ['apply', '-C1', '--recount', ...flags, patchPath], {
    cwd: workspace,
    encoding: 'utf8',
    env: { ...process.env, GIT_CEILING_DIRECTORIES: dirname(workspace) },
  });
  if (status === 0) return null;
  return `the patch no longer applies.\n${stderr}
To repair it, put the same bug into the code, write \`git diff -U2\` into ${basename(patchPath)} below its description, and revert the code.`;
}
