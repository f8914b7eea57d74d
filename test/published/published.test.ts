import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, cp, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { rollup } from 'rollup';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pack, type Packed } from '../../packages/browser/test/packed.ts';
import { complaints, ways } from './type-check.ts';
import { isFull } from '../test-utils/depth.ts';

const here = fileURLToPath(new URL('./', import.meta.url));
const run = promisify(execFile);

/** A source map, with the list of the sources that debuggers skip. */
interface IgnoringMap {
  sources: string[];
  x_google_ignoreList: number[];
}

describe('the published @service/browser', () => {
  let packed: Packed;
  let entries: string[];

  beforeAll(async () => {
    packed = await pack();
    entries = Object.keys(packed.manifest.exports)
      // The plugin for Nuxt imports `#imports`, which exists only in an app of Nuxt. The module for Nuxt has no
      // CommonJS build.
      .filter((path) => !/\.json$|nuxt/.test(path))
      .map((path) => join('@service/browser', path));
  });

  afterAll(() => packed?.remove());

  test('is a tarball of at most 200 kB, with no unneeded files', async () => {
    process.stdout.write(`@service/browser: a tarball of ${packed.bytes.toLocaleString('en')} B\n`);
    expect(packed.bytes).toBeLessThanOrEqual(200_000);
    const names = ['LICENSE', 'README.md', 'dist', 'docs', 'package.json', 'src'];
    expect((await readdir(packed.folder)).toSorted()).toEqual(names);
    const files = await readdir(join(packed.folder, 'dist'), { recursive: true });
    expect(
      files.filter((file) => !/^development$|\.(js|cjs|d\.ts|d\.cts)(\.map)?$|^integrity\.json$/.test(file)),
    ).toEqual([]);
  });

  test('every source map names sources of the package, which debuggers skip', async () => {
    const dist = join(packed.folder, 'dist');
    const files = await readdir(dist, { recursive: true });
    const scripts = files.filter((file) => /\.c?js$/.test(file) && file !== 'snippet.js');
    expect(scripts.length).toBeGreaterThan(28);
    for (const script of scripts) {
      const map = JSON.parse(await readFile(join(dist, `${script}.map`), 'utf8')) as IgnoringMap;
      const sources = map.sources.map((source) => resolve(dist, dirname(script), source));
      expect(sources.filter((source) => !source.startsWith(join(packed.folder, 'src')) || !existsSync(source))).toEqual(
        [],
      );
      expect(map.x_google_ignoreList, script).toEqual(sources.map((_, index) => index));
    }
  });

  test.each(['react.js', 'react.cjs', 'development/react.js', 'development/react.cjs'])(
    '%s begins with "use client", and its source map is right',
    async (file) => {
      const path = join(packed.folder, 'dist', file);
      const lines = (await readFile(path, 'utf8')).split('\n');
      expect(lines[0]).toBe('"use client";');
      const line = lines.findIndex((text) => text.includes('getDerivedStateFromError'));
      const column = lines[line]?.indexOf('getDerivedStateFromError') ?? -1;
      const map = new SourceMap(JSON.parse(await readFile(`${path}.map`, 'utf8')) as SourceMapPayload);
      const entry = map.findEntry(line, column);
      if (!('originalSource' in entry)) throw new Error(`${file} has no mapping for the method.`);
      const source = await readFile(join(dirname(path), entry.originalSource), 'utf8');
      const original = source.split('\n')[entry.originalLine]?.slice(entry.originalColumn);
      expect(original).toMatch(/^getDerivedStateFromError/);
    },
  );

  test('the ES modules are readable: unminified, with names and comments', async () => {
    const code = await readFile(join(packed.folder, 'dist/errors.js'), 'utf8');
    expect(code).toMatch(/^\/\*\*\n \* Starts to report uncaught errors/m);
    expect(code).toMatch(/^import \{[^}]*\bstartDefaultClient\b[^}]*\} from '\.\/chunk-/m);
  });

  test('only the development build contains the sentences about what to do', async () => {
    const read = async (folder: string): Promise<string> => {
      const files = (await readdir(join(packed.folder, folder))).filter((file) => /\.c?js$/.test(file));
      return (await Promise.all(files.map((file) => readFile(join(packed.folder, folder, file), 'utf8')))).join('\n');
    };
    const [development, production] = await Promise.all([read('dist/development'), read('dist')]);
    const link = 'node_modules/@service/browser/docs/troubleshooting.md';
    expect(development.split(link)).toHaveLength(3);
    expect(production).not.toContain(link);
  });

  test('contains the page that the warnings link to, with a section for each warning', async () => {
    const page = await readFile(join(packed.folder, 'docs/troubleshooting.md'), 'utf8');
    const advice = await readFile(join(packed.folder, 'src/advice.development.ts'), 'utf8');
    const numbers = Array.from(advice.matchAll(/^ {2}(\d+): /gm), ([, number]) => Number(number));
    expect(numbers.length).toBeGreaterThan(10);
    expect(numbers.filter((number) => !page.includes(`\n## W${number}\n`))).toEqual([]);
    expect(page).not.toMatch(/\]\((?!#)/);
  });

  test('no entry has side effects, even in bundlers that ignore `sideEffects` in package.json', async () => {
    const folder = await mkdtemp(join(packed.project, 'bare-'));
    await cp(join(packed.folder, 'dist'), folder, { recursive: true });
    const files = entries.map((entry) => `${basename(entry.replace(/^@service\/browser$/, 'index'))}.js`);
    const page = files.map((file) => `import './${file}';`).join('\n');
    await writeFile(join(folder, 'page.js'), page);
    const bundle = await rollup({ input: join(folder, 'page.js'), external: ['react', 'vue'], onLog: () => {} });
    const { output } = await bundle.generate({ format: 'es' });
    expect(output[0].code.replace(/^import 'react';/gm, '').trim()).toBe('');
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

    async function runScript(lines: string[], flags: string[] = []): Promise<{ stdout: string; stderr: string }> {
      const file = join(packed.project, `script.${kind === 'import' ? 'mjs' : 'cjs'}`);
      await writeFile(file, lines.join('\n'));
      return run(process.execPath, [...flags, file]);
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

    test('init() of every entry is silent', async () => {
      const { stdout, stderr } = await runScript([
        `const sdk = ${load('@service/browser')};`,
        `const errors = ${load('@service/browser/errors')};`,
        "for (const { init } of [sdk, sdk, errors]) init({ apiKey: 'pk_test', endpoint: 'http://127.0.0.1:9' });",
        'sdk.close();',
      ]);
      expect({ stdout, stderr }).toEqual({ stdout: '', stderr: '' });
    });

    // Node.js has no page, so a minimal one is added.
    test.each(['', '--conditions=development'])('all entries share one client %s', async (flag) => {
      const { stdout, stderr } = await runScript(
        [
          'globalThis.self = globalThis;',
          "globalThis.navigator ??= { onLine: true, language: 'en' };",
          "Object.assign(globalThis, { document: {}, location: new URL('http://shop.test/'), addEventListener() {} });",
          `const [{ init }, errors, { reactErrorHandlers }, { errorReporting }, { captureBoundaryError }, sveltekit, angular, solid] = [${entries
            .filter((entry) => !/loader|testing|nuxt/.test(entry))
            .map(load)
            .join(', ')}];`,
          'const messages = [];',
          'const transport = async ({ message }) => ({ status: messages.push(message) && 200 });',
          "init({ apiKey: 'pk_test', endpoint: 'http://127.0.0.1:9', transport });",
          'console.error = () => {};',
          "errors.captureException(new Error('errors'));",
          "reactErrorHandlers().onCaughtError(new Error('react'), {});",
          'const app = { config: {} };',
          'errorReporting(app);',
          "app.config.errorHandler(new Error('vue'), null, 'setup');",
          "captureBoundaryError(new Error('svelte'));",
          "sveltekit.handleErrorWithReporting()({ error: new Error('sveltekit'), event: {}, status: 500 });",
          "angular.angularErrorHandler.handleError(new Error('angular'));",
          "solid.reportingFallback(() => null)(new Error('solid'), () => {});",
          `${load('@service/browser/testing')}`,
          'errors.flush().then(() => console.log(messages.join()));',
        ],
        flag ? [flag] : [],
      );
      expect({ stdout, stderr }).toEqual({ stdout: 'errors,react,vue,svelte,sveltekit,angular,solid\n', stderr: '' });
    });

    test('the development build writes what to do, and the production build does not', async () => {
      const page =
        "globalThis.self = Object.assign(globalThis, { document: {}, location: new URL('http://shop.test/') });";
      const script = [page, `const { init } = ${load('@service/browser')};`, "init({ apiKey: '', endpoint: '' });"];
      const [short, full] = [await runScript(script), await runScript(script, ['--conditions=development'])];
      expect(short.stderr).toMatch(/^\[ServiceSDK\] [^\n]*\. \[W2\]\n$/);
      expect(full.stderr).toMatch(/docs\/troubleshooting\.md#w2 \[W2\]\n$/);
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

  describe('the published types', () => {
    test.each(ways)(
      'compile in an app that uses the SDK with React, Vue and Svelte: %s',
      async (_, file, module, resolution) => {
        const app = join(packed.project, file);
        await copyFile(join(here, 'app/app.ts'), app);
        expect(complaints(packed.project, app, module, resolution)).toEqual([]);
      },
    );

    // attw installs its own TypeScript, which is too slow for each run of the tests.
    test.runIf(isFull)('pass attw', { timeout: 300_000 }, async () => {
      // Installed in the project itself, its TypeScript would replace the one that the other tests use.
      const folder = await mkdtemp(join(packed.project, 'attw-'));
      for (const file of ['package.json', 'package-lock.json']) await copyFile(join(here, file), join(folder, file));
      await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, shell: process.platform === 'win32' });
      const attw = join(folder, 'node_modules/@arethetypeswrong/cli/dist/index.js');
      const { stdout } = await run(process.execPath, [attw, packed.tarball, '--format', 'json']);
      const { analysis } = JSON.parse(stdout) as { analysis: { entrypoints: object; problems: unknown[] } };
      expect(Object.keys(analysis.entrypoints)).toContain('./react');
      expect(analysis.problems).toEqual([]);
    });
  });
});
