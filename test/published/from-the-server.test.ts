import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type ServerProcess } from '../test-utils/server-process.ts';
import { complaints } from './type-check.ts';

const run = promisify(execFile);

describe('the @service/browser package that the server serves', () => {
  let server: ServerProcess;
  let root: string;
  let project: string;

  beforeAll(async () => {
    server = await startServer('memory:');
    root = await mkdtemp(join(tmpdir(), 'service-from-server-'));
    project = await emptyProject('project');
    await npm(project, 'install', `${server.url}/packages/browser.tgz`);
  });

  afterAll(async () => {
    await server?.kill();
    await rm(root, { recursive: true, force: true });
  });

  async function emptyProject(name: string): Promise<string> {
    const folder = await mkdtemp(join(root, `${name}-`));
    await writeFile(join(folder, 'package.json'), '{ "private": true }');
    return folder;
  }

  /** The registry is a closed port. npm requests the optional frameworks there, and continues without them. */
  async function npm(cwd: string, ...args: string[]): Promise<string> {
    const registry = ['--registry=http://127.0.0.1:9/', '--fetch-retries=0'];
    const flags = [...registry, `--cache=${join(root, 'cache')}`, '--no-audit', '--no-fund'];
    const { stdout } = await run('npm', [...args, ...flags], { cwd, shell: process.platform === 'win32' });
    return stdout;
  }

  test('npm installs it in an empty project, and again from the lockfile', async () => {
    const { dependencies } = JSON.parse(await readFile(join(project, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    expect(dependencies).toEqual({ '@service/browser': `${server.url}/packages/browser.tgz` });
    await rm(join(project, 'node_modules'), { recursive: true });
    await rm(join(root, 'cache'), { recursive: true, force: true });
    await npm(project, 'ci');
    expect(await npm(project, 'ls', '--json')).toContain('"version": "');
  });

  test('Node imports it by its name', async () => {
    const file = join(project, 'app.mjs');
    await writeFile(
      file,
      `import * as sdk from '@service/browser';
       import * as errors from '@service/browser/errors';
       console.log(typeof sdk.init, typeof sdk.captureException, typeof errors.init);`,
    );
    expect(await run(process.execPath, [file])).toEqual({ stdout: 'function function function\n', stderr: '' });
  });

  test('TypeScript finds its types', async () => {
    const file = join(project, 'typed.mts');
    const app = (key: string): string =>
      `import { init } from '@service/browser';\ninit({ apiKey: ${key}, endpoint: '' });`;
    const check = (): string[] => complaints(project, file, ts.ModuleKind.NodeNext, ts.ModuleResolutionKind.NodeNext);
    await writeFile(file, app("'pk_test'"));
    expect(check()).toEqual([]);
    await writeFile(file, app('5'));
    expect(check()).toEqual([expect.stringContaining("'number' is not assignable to type 'string'")]);
  });

  test('a bundler builds a page with it', async () => {
    const file = join(project, 'page.js');
    await writeFile(
      file,
      `import { init } from '@service/browser';
       init({ apiKey: 'pk_test', endpoint: '${server.url}' });`,
    );
    const { outputFiles, warnings } = await build({
      entryPoints: [file],
      bundle: true,
      write: false,
      logLevel: 'silent',
    });
    expect(warnings).toEqual([]);
    expect(outputFiles[0]?.text).toContain('/api/v1/errors');
  });

  test('its script sets one global', async () => {
    const script = await (await fetch(`${server.url}/packages/browser.iife.js`)).text();
    const page: Record<string, unknown> = {};
    runInNewContext(script, page);
    expect(Object.keys(page)).toEqual(['ServiceSDK']);
  });

  test('it can be published again under another name, as documented', async () => {
    const folder = await emptyProject('publish');
    const tarball = Buffer.from(await (await fetch(`${server.url}/packages/browser.tgz`)).arrayBuffer());
    await writeFile(join(folder, 'browser.tgz'), tarball);
    await run('tar', ['-xzf', 'browser.tgz'], { cwd: folder });
    const unpacked = join(folder, 'package');
    await npm(unpacked, 'pkg', 'set', 'name=@acme/errors');
    // Like `npm publish`, without a registry.
    await npm(unpacked, 'pack', '--pack-destination', folder);
    const app = await emptyProject('acme');
    await npm(app, 'install', join(folder, 'acme-errors-0.1.0.tgz'));
    await writeFile(join(app, 'app.mjs'), `import { init } from '@acme/errors';\nconsole.log(typeof init);`);
    expect((await run(process.execPath, [join(app, 'app.mjs')])).stdout).toBe('function\n');
  });
});
