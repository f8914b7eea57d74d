// `npm run docs` serves this folder as a site and reloads changed pages; `npm run docs -- build` writes it to
// docs/.vitepress/dist and fails on a dead link; `npm run docs -- check` opens what was built in Chromium.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const docs = fileURLToPath(new URL('.', import.meta.url));
const commands = ['dev', 'build', 'preview', 'check'];

const [command = 'dev', ...flags] = process.argv.slice(2);
if (!commands.includes(command)) {
  console.error(`npm run docs -- ${commands.join('|')}`);
  process.exit(1);
}

if (!existsSync(new URL('node_modules/vitepress', import.meta.url))) {
  console.error('Installing VitePress…');
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
}
if (command === 'check') run(process.execPath, ['check.mjs']);
else run('npx', ['vitepress', command, ...flags]);

/** @param {string} program @param {string[]} args */
function run(program, args) {
  const { status } = spawnSync(program, args, {
    cwd: docs,
    stdio: 'inherit',
    shell: process.platform === 'win32' && program !== process.execPath,
  });
  if (status !== 0) process.exit(status ?? 1);
}
