// Installs and builds, with the pnpm that `npm run setup` puts on the PATH. `demo` installs only what `npm start` needs,
// `examples` everything; both build only what has changed. Without either, everything is installed and built.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { build, staleBuilds } from './builds.mjs';
import { hasTestTools, install, isReady } from './installation.mjs';
import { packages } from './packages.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const [, , purpose] = process.argv;
/** Contributors have the test tools, and keep them. */
const isWhole = purpose !== 'demo' || hasTestTools(root);

if (!purpose || !isReady(root, packages, purpose)) {
  console.log('Installing…');
  const selected = isWhole ? [] : ['--filter=demo...', '--prod'];
  install(root, packages, () => pnpm(['install', ...selected, '--frozen-lockfile', '--loglevel=warn']));
}

const stale = purpose ? staleBuilds(root, packages) : packages.filter(({ outputs }) => outputs.length > 0);
if (stale.length > 0) {
  console.log('Building…');
  build(root, packages, stale, () => {
    // The other examples are built by their tests.
    const filters = purpose ? stale.map(({ name }) => `--filter=${name}`) : ['--filter=!vite-*'];
    const output = ['--loglevel=info', '--reporter=append-only', '--reporter-hide-prefix'];
    pnpm(['--recursive', ...output, ...filters, 'run', 'build']);
  });
}

/**
 * Ends the process if pnpm fails: it has said why.
 * @param {string[]} args
 */
function pnpm(args) {
  const { status } = spawnSync('pnpm', args, {
    cwd: root,
    stdio: 'inherit',
    // On Windows it is a script for the shell.
    shell: process.platform === 'win32',
    // Types of the server are for programs that are written against it.
    env: isWhole ? process.env : { ...process.env, BUILD_TYPES: 'no' },
  });
  if (status !== 0) process.exit(status ?? 1);
}
