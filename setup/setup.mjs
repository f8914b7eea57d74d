// Installs and builds with the pnpm that `npm run setup` puts on the PATH. `demo` installs only the packages for
// `npm start`, `examples` installs everything; both build only what has changed. Without an argument, everything is
// installed and built.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { build, staleBuilds } from './builds.mjs';
import { hasTestTools, install, isReady } from './installation.mjs';
import { packages } from './packages.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const [, , purpose] = process.argv;
/** True unless only the demo is needed. Contributors have the test tools and keep them. */
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
    // The tests of the Vite examples build them.
    const filters = purpose ? stale.map(({ name }) => `--filter=${name}`) : ['--filter=!vite-*'];
    const output = ['--loglevel=info', '--reporter=append-only', '--reporter-hide-prefix'];
    pnpm(['--recursive', ...output, ...filters, 'run', 'build']);
  });
}

/**
 * Runs pnpm. Exits if it fails, because pnpm has printed the cause.
 * @param {string[]} args
 */
function pnpm(args) {
  const { status } = spawnSync('pnpm', args, {
    cwd: root,
    stdio: 'inherit',
    // On Windows, pnpm is a shell script.
    shell: process.platform === 'win32',
    // The demo does not need the types of the server. They are for programs that embed it.
    env: isWhole ? process.env : { ...process.env, BUILD_TYPES: 'no' },
  });
  if (status !== 0) process.exit(status ?? 1);
}
