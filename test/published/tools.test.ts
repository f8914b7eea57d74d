// The command line, the bundler plugin and the mocks from their tarballs.
import { execFile, execFileSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packPackage } from './pack-package.ts';
import { complaints, ways } from './type-check.ts';
import { isFull } from '../test-utils/depth.ts';

const run = promisify(execFile);
const here = fileURLToPath(new URL('./', import.meta.url));
const bundlers = ['vite', 'rollup', 'rolldown', 'webpack', 'rspack', 'esbuild'];
const managers: Record<string, string[]> = {
  npm: ['npm', 'install', '--no-audit', '--no-fund'],
  pnpm: ['npx', '-y', '-p', 'pnpm@10.34.9', 'pnpm', 'install', '--ignore-workspace'],
};
const maxInstalledBytes = 15_000_000;

async function folderBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(file.parentPath, file.name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

describe.each(['cli', 'bundler-plugin', 'mocks'])('the published @service/%s', (name) => {
  let root: string;
  let tarball: string;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), `service-${name}-`));
    tarball = await packPackage(name, root);
  });

  afterAll(() => rm(root, { recursive: true, force: true }));

  test('passes publint, and depends on no private package', async () => {
    const folder = join(root, 'unpacked');
    await mkdir(folder);
    execFileSync('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
    const { messages, pkg } = await publint({ pkgDir: folder, pack: false, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
    const { dependencies = {} } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
      dependencies?: object;
    };
    expect(Object.keys(dependencies).filter((one) => one.startsWith('@service/'))).toEqual([]);
    const texts = (await readdir(join(folder, 'dist'))).map((file) => readFile(join(folder, 'dist', file), 'utf8'));
    for (const text of await Promise.all(texts))
      expect(text).not.toMatch(/from ["']@service\/(?:protocol|source-maps)/);
  });

  test.runIf(name === 'mocks').each(ways)('has types for each entry: %s', async (_, file, module, resolution) => {
    const project = await mkdtemp(join(root, 'types-'));
    const folder = join(project, 'node_modules/@service/mocks');
    await mkdir(folder, { recursive: true });
    execFileSync('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
    const { exports } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
      exports: Record<string, object | string>;
    };
    // Some entries are only ES modules.
    const entries = Object.entries(exports).filter(
      ([, target]) => typeof target === 'object' && (file !== 'app.cts' || 'require' in target),
    );
    const app = entries.map(
      ([entry], index) => `export type * as entry${index} from '@service/mocks${entry.slice(1)}';`,
    );
    await writeFile(join(project, file), app.join('\n'));
    // The peer dependencies of the mocks are not installed, so only the app is checked.
    const found = complaints(project, join(project, file), module, resolution);
    expect(found.filter((text) => text.startsWith(`/${file}:`))).toEqual([]);
  });

  // attw checks the entries of a package. The CLI has none, only a command.
  test.runIf(isFull && name !== 'cli')('passes attw', { timeout: 300_000 }, async () => {
    const folder = await mkdtemp(join(root, 'attw-'));
    for (const file of ['package.json', 'package-lock.json']) await copyFile(join(here, file), join(folder, file));
    await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder });
    const attw = join(folder, 'node_modules/@arethetypeswrong/cli/dist/index.js');
    // The command fails if it finds a problem. `node10` reads no `exports`, and Node.js 20 is the oldest that is
    // supported. Vitest has only ES modules, and so has the entry for it.
    const rules = name === 'mocks' ? ['--ignore-rules', 'cjs-resolves-to-esm'] : [];
    const options = ['--profile', 'node16', '--format', 'json', ...rules];
    const { stdout } = await run(process.execPath, [attw, tarball, ...options]);
    const { analysis } = JSON.parse(stdout) as { analysis: { problems: { kind: string; resolutionKind?: string }[] } };
    const ofEsm = ({ kind }: { kind: string }): boolean => rules.length > 0 && kind === 'CJSResolvesToESM';
    expect(analysis.problems.filter((problem) => problem.resolutionKind !== 'node10' && !ofEsm(problem))).toEqual([]);
  });

  /** Installs the tarball in an empty project, and returns its folder. */
  async function install(manager: string, further: Record<string, string> = {}): Promise<string> {
    const folder = join(root, `project-${manager}`);
    await mkdir(folder);
    const dependencies = { [`@service/${name}`]: `file:${tarball}`, ...further };
    await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }));
    const [command = '', ...args] = managers[manager] ?? [];
    await run(command, args, { cwd: folder });
    return folder;
  }

  test.runIf(isFull && name === 'cli').each(Object.keys(managers))(
    'runs in an empty project of %s, and is small',
    { timeout: 600_000 },
    async (manager) => {
      const folder = await install(manager);
      const { stdout } = await run(join(folder, 'node_modules/.bin/service'), ['--help']);
      expect(stdout).toContain('sourcemaps upload');
      expect(await folderBytes(join(folder, 'node_modules'))).toBeLessThanOrEqual(maxInstalledBytes);
    },
  );

  test.runIf(isFull && name === 'bundler-plugin').each(Object.keys(managers))(
    'can be imported, required and compiled in an empty project of %s',
    { timeout: 600_000 },
    async (manager) => {
      const folder = await install(manager, { vite: '8.3.8' });
      const lines = {
        'load.mjs': bundlers.map((bundler) => `await import('@service/bundler-plugin/${bundler}')`),
        'load.cjs': bundlers.map((bundler) => `require('@service/bundler-plugin/${bundler}')`),
      };
      for (const [file, loads] of Object.entries(lines)) {
        await writeFile(
          join(folder, file),
          `console.log([${loads.join()}].every(({ service }) => typeof service === 'function'));`,
        );
        const { stdout } = await run(process.execPath, ['--no-warnings', file], { cwd: folder });
        expect(stdout).toBe('true\n');
      }
      const app = [
        "import { service, type ServicePluginOptions } from '@service/bundler-plugin/vite';",
        'const options: ServicePluginOptions = { release: null, strict: true };',
        'export const plugins = [service(), service(options)];',
      ].join('\n');
      for (const [way, file, module, resolution] of ways.filter(([one]) => one !== 'node10')) {
        await writeFile(join(folder, file), app);
        // Ignores the declarations of bundlers that are not installed.
        const own = complaints(folder, join(folder, file), module, resolution).filter((text) =>
          text.startsWith(`/${file}`),
        );
        expect(own, way).toEqual([]);
      }
    },
  );
});
