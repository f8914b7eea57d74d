// How bugs are built into a copy of the server. A hunt: `folder` of its patches, `wanted` paths of the workspace, and
// `find(copy, patch)`, which looks for the bug: `{ caught: 'by what' }`, or `{ trouble: 'what went wrong' }`.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What every suite needs of the workspace. */
const common = [
  'package.json',
  'tsconfig.json',
  'tsconfig.base.json',
  'vitest.workspace.ts',
  'packages/server',
  'packages/protocol',
];

export function patchesOf({ folder }, only) {
  return readdirSync(folder).filter((name) => name.endsWith('.patch') && name.startsWith(only));
}

/** Names of those that were not caught. */
export function hunt(each, only) {
  const patches = patchesOf(each, only);
  const survivors = [];
  for (const [index, patch] of patches.entries()) {
    const name = basename(patch, '.patch');
    process.stdout.write(`[${index + 1}/${patches.length}] ${name}: `);
    const copy = copyWorkspace(each.wanted);
    try {
      const trouble = applyPatch(copy, join(each.folder, patch));
      const { caught, trouble: escape } = trouble
        ? { trouble }
        : each.find(copy, readFileSync(join(each.folder, patch), 'utf8'));
      if (caught === undefined) survivors.push(name);
      console.log(caught === undefined ? escape : `caught by ${caught}`);
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  }
  return survivors;
}

/** Runs tests in a copy; all that they have printed. */
export function runTests(copy, args, env = {}) {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const all = ['run', '--config', 'vitest.workspace.ts', '--project', 'workspace', '--bail', '1', ...args];
  const { stdout, stderr } = spawnSync(process.execPath, [vitest, ...all], {
    cwd: copy,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
    env: { ...process.env, TEST_DEPTH: '', NO_COLOR: '1', ...env },
  });
  return stdout + stderr;
}

/** Dependencies are linked. */
function copyWorkspace(wanted) {
  const copy = mkdtempSync(join(tmpdir(), 'service-mutant-'));
  const isWanted = (path) => !/[\\/](node_modules|dist|coverage)$/.test(path);
  for (const path of [...common, ...wanted])
    cpSync(join(root, path), join(copy, path), { recursive: true, filter: isWanted });
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
  return `the patch no longer fits.\n${stderr}
Make it again: build the same bug into the code, \`git diff -U2\` into ${basename(patch)} (below what stands above its diff), and take it out again.`;
}
