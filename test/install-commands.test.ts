// The packages of this repository are not on npm: `@service/browser` there belongs to another publisher.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './code-blocks/blocks.ts';

/** Commands that download a package by its name. A path or a URL may contain the name. */
const byName = /\b(?:npm (?:i|install|add|exec)|npx|pnpm (?:add|install|dlx)|yarn (?:add|dlx)|bunx?)\s[^\n]*/g;

/** Returns the commands that install a package of this repository by its name. */
function installsByName(text: string): string[] {
  return [...text.matchAll(byName)].map(([command]) => command).filter((command) => /[\s'"`]@service\//.test(command));
}

test('finds commands that install a package by its name', () => {
  expect(installsByName('Run: npm install --save-dev @service/server')).toHaveLength(1);
  expect(installsByName('npx @service/cli doctor\nnpm i "@service/cli"')).toHaveLength(2);
  expect(installsByName('npm install ./service-cli-0.1.0.tgz\nnpm uninstall --global @service/server')).toEqual([]);
  expect(installsByName('npm install https://errors.example.com/packages/@service/browser.tgz')).toEqual([]);
});

test('no text advises to install a package of this repository from npm', () => {
  const paths = execFileSync('git', ['grep', '-lI', '@service/', '--', '.', ':!pnpm-lock.yaml'], {
    cwd: root,
    encoding: 'utf8',
  });
  const found = paths
    .trim()
    .split('\n')
    .filter((path) => path !== 'test/install-commands.test.ts')
    .flatMap((path) => installsByName(readFileSync(join(root, path), 'utf8')).map((command) => `${path}: ${command}`));
  // These commands of package.json run pnpm itself, with a package of the workspace.
  expect(found.filter((line) => !line.startsWith('package.json: npx -y -p pnpm'))).toEqual([]);
});
