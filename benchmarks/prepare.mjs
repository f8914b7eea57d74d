import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const here = import.meta.dirname;
const root = join(here, '..');
const server = join(root, 'packages/server');

/**
 * Installs the compared packages if they are missing or older than their lockfile. Builds the server if it is missing,
 * and warns if it is older than its sources.
 */
export function prepare() {
  if (isOlder(join(here, 'node_modules/.package-lock.json'), join(here, 'package-lock.json'))) {
    console.error('Installing the compared packages…');
    execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: here, stdio: 'inherit' });
  }
  const built = join(server, 'dist/cli.js');
  if (!existsSync(built)) {
    execFileSync('npm', ['run', '--silent', 'setup'], { cwd: root, stdio: ['ignore', 2, 2] });
  } else if (sources().some((source) => isOlder(built, source))) {
    console.error('The built server is older than its sources. Run `npm run build` to update it.');
  }
}

function sources() {
  const folders = [join(server, 'src'), join(root, 'packages/protocol/src')];
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true }).map((path) => join(folder, String(path))),
  );
}

/**
 * @param {string} made
 * @param {string} from
 */
function isOlder(made, from) {
  return changedAt(made) < changedAt(from);
}

/** @param {string} path */
function changedAt(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
