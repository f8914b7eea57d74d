// What `npm start` runs at the root: installs and builds what has changed, then starts the demo in this same process.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { staleBuilds } from '../../../setup/builds.mjs';
import { isInstalled } from '../../../setup/installation.mjs';
import { packages } from '../../../setup/packages.mjs';

const parent = process.ppid;

const root = fileURLToPath(new URL('../../..', import.meta.url));
if (!isInstalled(root, packages) || staleBuilds(root, packages).length > 0) {
  const { status } = spawnSync('npm run --silent setup -- demo', { cwd: root, shell: true, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

await import('./start.mjs');

// A SIGTERM to npm ends the shell between it and us, and nobody else: without a look at who the parent is, the demo would
// live on and keep its port and its data folder.
const watch = setInterval(() => {
  if (process.ppid === parent) return;
  clearInterval(watch);
  process.kill(process.pid, 'SIGTERM');
}, 500);
watch.unref();
