// What `npm start` runs at the root. One process from the first to the last: between it and npm a shell would stand that
// keeps a SIGTERM for itself, and the demo would live on with its port and its data folder.
import { spawnSync } from 'node:child_process';

const { status } = spawnSync('npm run --silent setup', { shell: true, stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);

await import('./start.mjs');
