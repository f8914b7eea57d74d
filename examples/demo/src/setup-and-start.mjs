// What `npm start` runs at the root: installs and builds, then starts the demo in this same process.
import { spawnSync } from 'node:child_process';

const parent = process.ppid;

const { status } = spawnSync('npm run --silent setup', { shell: true, stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);

await import('./start.mjs');

// A SIGTERM to npm ends the shell between it and us, and nobody else: without a look at who the parent is, the demo would
// live on and keep its port and its data folder.
const watch = setInterval(() => {
  if (process.ppid === parent) return;
  clearInterval(watch);
  process.kill(process.pid, 'SIGTERM');
}, 500);
watch.unref();
