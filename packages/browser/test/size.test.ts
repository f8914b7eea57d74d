// @vitest-environment node
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import * as sdk from '../src/index.ts';
import { snippet } from '../src/loader/snippet.ts';
import { bundlePage, bundlers, gzipBytes, minimalPage } from './bundle.ts';
import { pack, type Packed } from './packed.ts';
import { entryLimits, maxAdapterBytes, maxSnippetBytes } from './size-limits.mjs';

const path = (file: string): string => fileURLToPath(new URL(`../../../${file}`, import.meta.url));
const formatBytes = (bytes: number): string => `${bytes.toLocaleString('en')} B`;

const entries = Object.entries(entryLimits).map(([entry, { max }]): [entry: string, maxBytes: number] => [entry, max]);

const adapters: [entry: string, name: string][] = [
  ['@service/browser/react', 'ErrorBoundary'],
  ['@service/browser/react', 'reactErrorHandlers'],
  ['@service/browser/vue', 'errorReporting'],
  ['@service/browser/react', 'useErrorReport'],
  ['@service/browser/svelte', 'captureBoundaryError'],
  ['@service/browser/sveltekit', 'handleErrorWithReporting'],
  ['@service/browser/angular', 'angularErrorHandler'],
  ['@service/browser/solid', 'reportingFallback'],
];

let packed: Packed;

beforeAll(async () => {
  // The bundlers build for production only with this value. Vitest sets `test`.
  vi.stubEnv('NODE_ENV', 'production');
  packed = await pack();
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await packed?.remove();
});

const built = new Map<string, Promise<string>>();
/** Bundles a page once, although several tests measure it. */
function bundle(bundler: string, code: string): Promise<string> {
  const key = `${bundler}: ${code}`;
  const page = built.get(key) ?? bundlePage(packed.project, bundler, code);
  built.set(key, page);
  return page;
}

const sizeOf = async (bundler: string, code: string): Promise<number> => gzipBytes(await bundle(bundler, code));

/** Returns the bytes that an adapter adds to a page that already uses the SDK and React. */
async function addedBytes(bundler: string, entry: string, name: string): Promise<number> {
  const page = `${minimalPage('@service/browser')} import { Component } from 'react'; globalThis.app = [Component];`;
  const withAdapter = `import { ${name} } from '${entry}'; ${page.replace('[Component]', `[Component, ${name}]`)}`;
  return (await sizeOf(bundler, withAdapter)) - (await sizeOf(bundler, page));
}

describe.each(Object.keys(bundlers))('built by %s from the tarball', (bundler) => {
  test.each(entries)('a page that starts %s takes at most %d bytes, gzipped', async (entry, maxBytes) => {
    const bytes = await sizeOf(bundler, minimalPage(entry));
    process.stdout.write(`${entry}, ${bundler}: ${formatBytes(bytes)} gzip\n`);
    expect(bytes).toBeLessThanOrEqual(maxBytes);
  });

  test.each(adapters)(`%s, %s adds at most ${maxAdapterBytes} bytes to a page`, async (entry, name) => {
    const bytes = await addedBytes(bundler, entry, name);
    process.stdout.write(`${entry}, ${name}, ${bundler}: ${formatBytes(bytes)} gzip more\n`);
    expect(bytes).toBeLessThanOrEqual(maxAdapterBytes);
  });

  test('the version is in the page, and the sentences of the development build are not', async () => {
    const code = await bundle(bundler, minimalPage('@service/browser'));
    expect(code).toContain(packed.manifest.version);
    expect(code).toContain('[ServiceSDK]');
    expect(code).not.toContain('troubleshooting');
  });
});

test(`the loader snippet takes at most ${maxSnippetBytes} bytes, gzipped`, () => {
  const bytes = gzipBytes(snippet);
  process.stdout.write(`@service/browser/loader, the snippet: ${formatBytes(bytes)} gzip\n`);
  expect(bytes).toBeLessThanOrEqual(maxSnippetBytes);
});

test('the script for pages without a bundler sets one global, with every function of the default entry', async () => {
  const page: Record<string, object> = {};
  runInNewContext(await readFile(join(packed.folder, 'dist/index.iife.js'), 'utf8'), page);
  expect(Object.keys(page)).toEqual(['ServiceSDK']);
  expect(Object.keys(page.ServiceSDK ?? {}).toSorted()).toEqual(Object.keys(sdk).toSorted());
});

describe('the quoted sizes', () => {
  const largest = async (entry: string): Promise<number> =>
    Math.max(...(await Promise.all(Object.keys(bundlers).map((bundler) => sizeOf(bundler, minimalPage(entry))))));

  /** Returns the table of the README as it was measured. */
  async function measuredTable(): Promise<string> {
    const rows: [part: string, measure: (bundler: string) => Promise<string>][] = [
      ...entries.map(([entry]): (typeof rows)[number] => [
        `\`${entry}\``,
        async (bundler) => formatBytes(await sizeOf(bundler, minimalPage(entry))),
      ]),
      ...adapters.map(([entry, name]): (typeof rows)[number] => [
        `\`${name}\` of \`${entry}\``,
        async (bundler) => `+ ${formatBytes(await addedBytes(bundler, entry, name))}`,
      ]),
    ];
    const names = Object.keys(bundlers);
    const cells = rows.map(async ([part, measure]) => [part, ...(await Promise.all(names.map(measure)))]);
    const lines = [['part', ...names], ['---', ...names.map(() => '---')], ...(await Promise.all(cells))];
    return lines.map((line) => `| ${line.join(' | ')} |`).join('\n');
  }

  /** Returns a text with the measured sizes. Node.js versions differ by a few bytes, because their zlib does. */
  function quote(text: string, pattern: RegExp, measured: string): string {
    const [quoted = ''] = pattern.exec(text) ?? [];
    expect(quoted, String(pattern)).not.toBe('');
    return isClose(sizesIn(quoted), sizesIn(measured)) ? text : text.replace(pattern, measured);
  }

  const sizesIn = (text: string): number[] =>
    Array.from(text.matchAll(/([\d,]+) B\b/g), ([, size = '']) => Number(size.replace(',', '')));

  const isClose = (some: number[], others: number[]): boolean =>
    some.length === others.length && some.every((size, index) => Math.abs(size - (others[index] ?? 0)) <= 10);

  // `vitest -u` writes the sizes.
  test('packages/browser/README.md quotes the size of each part for each bundler, and of the snippet', async () => {
    const text = await readFile(path('packages/browser/README.md'), 'utf8');
    const withTable = quote(text, /^\| part[^]*?\|(?=\n\n)/m, await measuredTable());
    const snippetLine = `The inline snippet of \`@service/browser/loader\` has ${formatBytes(gzipBytes(snippet))}.`;
    const measured = quote(withTable, /^The inline snippet of .*$/m, snippetLine);
    await expect(measured).toMatchFileSnapshot(path('packages/browser/README.md'));
  });

  test('README.md quotes the largest size of each entry', async () => {
    const text = await readFile(path('README.md'), 'utf8');
    const [all = 0, errors = 0] = await Promise.all(entries.map(([entry]) => largest(entry)));
    const sentence = `a browser SDK of ${formatBytes(all)} (${formatBytes(errors)} for errors alone)`;
    const measured = quote(text, /a browser SDK of [\d,]+ B \([\d,]+ B for errors alone\)/, sentence);
    await expect(measured).toMatchFileSnapshot(path('README.md'));
  });
});
