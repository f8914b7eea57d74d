// `npm start` at the root runs this file: it installs and builds what has changed, then starts the demo in this
// process.
import { ensureSetup } from '../../../setup/ensure.mjs';

const parent = process.ppid;

ensureSetup('demo');

await import('./start.mjs');

// A SIGTERM to npm ends only the shell between npm and this process. Without a check of the parent process, the demo
// would keep running, with its port and its data folder.
const watch = setInterval(() => {
  if (process.ppid === parent) return;
  clearInterval(watch);
  process.kill(process.pid, 'SIGTERM');
}, 500);
watch.unref();
