import { appendFile, chmod, cp, mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** A fake pnpm: it installs by copying the lockfile, and builds by copying each source to the output of its package. */
const pnpm = `#!/usr/bin/env node
const { appendFileSync, cpSync, existsSync, mkdirSync, writeFileSync } = require('node:fs');
const args = process.argv.slice(2);
appendFileSync('calls.txt', args.filter((arg) => !/^--(log|rep)/.test(arg)).join(' ') + ' ' + (process.env.BUILD_TYPES ?? '') + '\\n');
if (args[0] === 'install') {
  mkdirSync('node_modules/.pnpm', { recursive: true });
  cpSync('pnpm-lock.yaml', 'node_modules/.pnpm/lock.yaml');
  writeFileSync('node_modules/.modules.yaml', JSON.stringify({ included: { devDependencies: !args.includes('--prod') } }, null, 2));
} else {
  const outputs = {
    '@service/browser': ['packages/browser', 'packages/browser/dist'],
    '@service/dashboard': ['packages/dashboard', 'packages/server/public/dashboard'],
    '@service/server': ['packages/server', 'packages/server/dist'],
    demo: ['examples/demo', 'examples/demo/dist'],
  };
  for (const [name, [folder, output]] of Object.entries(outputs))
    if (args.includes('--filter=!vite-*') || args.includes('--filter=' + name)) {
      mkdirSync(output, { recursive: true });
      cpSync(folder + '/src/index.ts', output + '/index.js');
    }
  if (existsSync('broken')) process.exit(3);
}
`;

const dependencies: Record<string, string[]> = {
  'packages/protocol': [],
  'packages/browser': ['@service/protocol'],
  'packages/dashboard': ['@service/protocol'],
  'packages/server': ['@service/protocol', '@service/browser'],
  'examples/demo': ['@service/browser', '@service/server'],
};

describe.skipIf(process.platform === 'win32')('npm run setup', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'service-setup-'));
    await cp(join(root, 'setup'), join(folder, 'setup'), { recursive: true });
    await write('bin/pnpm', pnpm);
    await chmod(join(folder, 'bin/pnpm'), 0o755);
    for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'tsconfig.base.json', 'package.json'])
      await write(file, '{}');
    for (const [path, names] of Object.entries(dependencies)) {
      const devDependencies = Object.fromEntries(names.map((name) => [name, 'workspace:*']));
      await write(`${path}/package.json`, JSON.stringify({ devDependencies }));
      await write(`${path}/src/index.ts`, path);
    }
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function write(path: string, text: string): Promise<void> {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }

  /** Runs the setup and returns the arguments of each call of pnpm. */
  async function setUp(...args: string[]): Promise<string[]> {
    const calls = join(folder, 'calls.txt');
    await rm(calls, { force: true });
    const PATH = `${join(folder, 'bin')}${delimiter}${process.env.PATH}`;
    await promisify(execFile)(process.execPath, [join(folder, 'setup/setup.mjs'), ...args], {
      env: { ...process.env, PATH },
    });
    const text = await readFile(calls, 'utf8').catch(() => '');
    return text.split('\n').slice(0, -1);
  }

  const installDemo = 'install --filter=demo... --prod --frozen-lockfile no';
  const buildOf = (...names: string[]): string =>
    `--recursive ${names.map((name) => `--filter=${name}`).join(' ')} run build no`;
  const all = ['@service/browser', '@service/dashboard', '@service/server', 'demo'];

  test('setup demo installs and builds only the packages of the demo, and nothing the second time', async () => {
    expect(await setUp('demo')).toEqual([installDemo, buildOf(...all)]);
    expect(await setUp('demo')).toEqual([]);
  });

  test('setup does not rebuild a file with a new modification time and the same content', async () => {
    await setUp('demo');
    await utimes(join(folder, 'packages/server/src/index.ts'), new Date(), new Date());
    expect(await setUp('demo')).toEqual([]);
  });

  test('setup rebuilds a package whose source has changed, and its dependents', async () => {
    await setUp('demo');
    await appendFile(join(folder, 'packages/server/src/index.ts'), 'new');
    expect(await setUp('demo')).toEqual([buildOf('@service/server', 'demo')]);
    await appendFile(join(folder, 'packages/protocol/src/index.ts'), 'new');
    expect(await setUp('demo')).toEqual([buildOf(...all)]);
    await write('packages/dashboard/src/added.ts', 'new');
    expect(await setUp('demo')).toEqual([buildOf('@service/dashboard')]);
  });

  test('setup does not rebuild for changed tests, logs and tarballs', async () => {
    await setUp('demo');
    for (const file of ['test/a.test.ts', 'debug.log', 'packed.tgz']) await write(`packages/browser/${file}`, 'new');
    expect(await setUp('demo')).toEqual([]);
  });

  test('setup rebuilds a package whose output was removed or changed', async () => {
    await setUp('demo');
    await rm(join(folder, 'packages/server/public/dashboard'), { recursive: true });
    expect(await setUp('demo')).toEqual([buildOf('@service/dashboard')]);
    await write('packages/browser/dist/index.js', 'changed');
    expect(await setUp('demo')).toEqual([buildOf('@service/browser')]);
  });

  test('setup rebuilds after a failed build, even if the build has written its files', async () => {
    await write('broken', '');
    await expect(setUp('demo')).rejects.toMatchObject({ code: 3 });
    await rm(join(folder, 'broken'));
    expect(await setUp('demo')).toEqual([buildOf(...all)]);
  });

  test('setup reinstalls if the lockfile differs from the installed one', async () => {
    await setUp('demo');
    await write('pnpm-lock.yaml', '{ }');
    expect(await setUp('demo')).toEqual([installDemo, buildOf(...all)]);
    await write('node_modules/.pnpm/lock.yaml', 'of another branch');
    expect(await setUp('demo')).toEqual([installDemo]);
  });

  test('setup examples installs everything after the demo, and rebuilds nothing', async () => {
    await setUp('demo');
    expect(await setUp('examples')).toEqual(['install --frozen-lockfile ']);
    expect(await setUp('examples')).toEqual([]);
    expect(await setUp('demo')).toEqual([]);
    await appendFile(join(folder, 'packages/browser/src/index.ts'), 'new');
    const stale = ['@service/browser', '@service/server', 'demo'];
    expect(await setUp('examples')).toEqual([`${buildOf(...stale).replace(/no$/, '')}`]);
  });

  test('setup without arguments always installs and builds everything, which the demo then uses', async () => {
    const whole = ['install --frozen-lockfile ', '--recursive --filter=!vite-* run build '];
    expect(await setUp()).toEqual(whole);
    expect(await setUp('demo')).toEqual([]);
    expect(await setUp()).toEqual(whole);
  });

  test('setup demo keeps installed test tools', async () => {
    await setUp();
    await write('pnpm-lock.yaml', '{ }');
    const [installed] = await setUp('demo');
    expect(installed).toBe('install --frozen-lockfile ');
  });
});

test('the root and the packages have the same versions of the build tools', async () => {
  const read = async (path: string): Promise<Record<string, Record<string, string>>> =>
    JSON.parse(await readFile(join(root, path, 'package.json'), 'utf8')) as Record<string, Record<string, string>>;
  const { dependencies: tools = {} } = await read('.');
  for (const path of Object.keys(dependencies)) {
    const { devDependencies = {} } = await read(path);
    const known = Object.entries(devDependencies).filter(([name]) => name in tools);
    expect(known, path).toEqual(known.map(([name]) => [name, tools[name]]));
  }
});
