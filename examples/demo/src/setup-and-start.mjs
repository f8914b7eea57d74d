// What `npm start` runs at the root: installs and builds what has changed, then starts the demo in this same process.
import { ensureSetup } from '../../../setup/ensure.mjs';

const parent = process.ppid;

ensureSetup('demo');

await import('./start.mjs');

// A SIGTERM to npm ends the shell between it and us, and nobody else: without a look at who the parent is, the demo would
// live on and keep its port and its data folder.
const watch = setInterval(() => {
  if (process.ppid === parent) return;
  clearInterval(watch);
  process.kill(process.pid, 'SIGTERM');
}, 500);
watch.unref();
