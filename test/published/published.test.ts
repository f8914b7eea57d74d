import { execFile } from 'node:child_process';
import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pack, type Packed } from './packed.ts';
import { complaints, ways } from './type-check.ts';

const isFull = process.env.TEST_DEPTH === 'full';
const here = fileURLToPath(new URL('./', import.meta.url));
const run = promisify(execFile);

describe('the published @service/browser', () => {
  let packed: Packed;
  let entries: string[];

  beforeAll(async () => {
    packed = await pack();
    entries = Object.keys(packed.manifest.exports)
      .filter((path) => !path.endsWith('.json'))
      .map((path) => join('@service/browser', path));
  });

  afterAll(() => packed?.remove());

  test('is a tarball of at most 40 kB, with no unneeded files', async () => {
    process.stdout.write(`@service/browser: a tarball of ${packed.bytes.toLocaleString('en')} B\n`);
    expect(packed.bytes).toBeLessThanOrEqual(40_000);
    expect((await readdir(packed.folder)).toSorted()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json']);
    const files = await readdir(join(packed.folder, 'dist'));
    expect(files.filter((file) => !/\.(js|cjs|d\.ts|d\.cts)$|^integrity\.json$/.test(file))).toEqual([]);
  });

  test('has no dependencies, and only optional peer dependencies', () => {
    const { dependencies = {}, peerDependencies, peerDependenciesMeta } = packed.manifest;
    expect(dependencies).toEqual({});
    const optional = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional);
    expect(optional).toEqual(Object.keys(peerDependencies));
  });

  test('passes publint', async () => {
    const { messages, pkg } = await publint({ pkgDir: packed.folder, pack: false, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
  });

  test('lists the hash of each file that pages load by a tag', async () => {
    const read = (file: string): Promise<string> => readFile(join(packed.folder, 'dist', file), 'utf8');
    const hashes = JSON.parse(await read('integrity.json')) as Record<string, string>;
    expect(Object.keys(hashes)).toEqual(['index.iife.js', 'snippet.js']);
    for (const [file, hash] of Object.entries(hashes)) {
      const [algorithm = ''] = hash.split('-');
      const digest = createHash(algorithm)
        .update(await read(file))
        .digest('base64');
      expect(hash).toBe(`${algorithm}-${digest}`);
    }
  });

  test('docs/early-errors.md has the hash and the length of the snippet', async () => {
    const snippet = await readFile(join(packed.folder, 'dist/snippet.js'), 'utf8');
    const docs = await readFile(join(here, '../../docs/early-errors.md'), 'utf8');
    expect(docs).toContain(`'sha256-${createHash('sha256').update(snippet).digest('base64')}'`);
    expect(docs).toContain(`a snippet of ${snippet.length} characters`);
  });

  describe.each(['import', 'require'] as const)('in Node, by %s', (kind) => {
    const load = (entry: string): string => (kind === 'import' ? `await import('${entry}')` : `require('${entry}')`);

    async function runScript(lines: string[]): Promise<{ stdout: string; stderr: string }> {
      const file = join(packed.project, `script.${kind === 'import' ? 'mjs' : 'cjs'}`);
      await writeFile(file, lines.join('\n'));
      return run(process.execPath, [file]);
    }

    test('every entry can be imported without side effects', async () => {
      const names = 'Object.getOwnPropertyNames(globalThis).length';
      const output = await runScript([
        `const before = ${names};`,
        'const { log } = console;',
        `const loaded = [${entries.map(load).join(', ')}];`,
        `console.log(${names} - before, log === console.log, loaded.every((entry) => Object.keys(entry).length > 0));`,
      ]);
      expect(output).toEqual({ stdout: '0 true true\n', stderr: '' });
    });

    test('init() of every entry warns once and does not throw', async () => {
      const { stdout, stderr } = await runScript([
        `const sdk = ${load('@service/browser')};`,
        `const errors = ${load('@service/browser/errors')};`,
        "for (const { init } of [sdk, sdk, errors]) init({ apiKey: 'pk_test', endpoint: 'http://127.0.0.1:9' });",
        'sdk.close();',
      ]);
      expect(stdout).toBe('');
      expect(stderr).toMatch(/^\[ServiceSDK\] .*\n$/);
    });

    test('all entries share one SDK', async () => {
      const { stdout } = await runScript([
        `const [a, b] = [${load('@service/browser')}, ${load('@service/browser/errors')}];`,
        'console.log(a.captureException === b.captureException);',
      ]);
      expect(stdout).toBe('true\n');
    });
  });

  test('a server renders a page with the error boundary', async () => {
    const file = join(packed.project, 'render.mjs');
    await writeFile(
      file,
      `import { ErrorBoundary } from '@service/browser/react';
       import { createElement } from 'react';
       import { renderToString } from 'react-dom/server';
       process.stdout.write(renderToString(createElement(ErrorBoundary, { fallback: 'sorry' }, createElement('p', null, 'tea'))));`,
    );
    expect(await run(process.execPath, [file])).toEqual({ stdout: '<p>tea</p>', stderr: '' });
  });

  describe('the published types', { timeout: 60_000 }, () => {
    test.each(isFull ? ways : ways.slice(0, 1))(
      'compile in an app that uses all exports: %s',
      async (_, file, module, resolution) => {
        const app = join(packed.project, file);
        await copyFile(join(here, 'app/app.ts'), app);
        expect(complaints(packed.project, app, module, resolution)).toEqual([]);
      },
    );

    // attw installs its own TypeScript, which is too slow for each run of the tests.
    test.runIf(isFull)('pass attw', { timeout: 300_000 }, async () => {
      await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: here, shell: process.platform === 'win32' });
      const attw = join(here, 'node_modules/@arethetypeswrong/cli/dist/index.js');
      const { stdout } = await run(process.execPath, [attw, packed.tarball, '--format', 'json']);
      const { analysis } = JSON.parse(stdout) as { analysis: { entrypoints: object; problems: unknown[] } };
      expect(Object.keys(analysis.entrypoints)).toContain('./react');
      expect(analysis.problems).toEqual([]);
    });
  });
});
