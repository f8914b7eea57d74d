// `pnpm typecheck:scripts`: checks the types of each folder below with the native compiler, which takes a fifth of the
// time of the one in JavaScript. That one stays for the builds, whose plugins need its API. Exits with 1 if a type is
// wrong.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';

const packages = readdirSync('packages').map((name) => `packages/${name}`);
const folders = [
  '.',
  'setup',
  'release',
  'test/words',
  ...packages,
  'examples/demo',
  'examples/demo/src',
  'examples/vite-react',
];

const failed = folders
  .filter((folder) => existsSync(`${folder}/tsconfig.json`))
  .filter(
    (folder) => spawnSync('tsgo', ['--noEmit', '--project', folder], { shell: true, stdio: 'inherit' }).status !== 0,
  );
if (failed.length > 0) {
  console.error(`Types are wrong in ${failed.join(', ')}.`);
  process.exit(1);
}
