// @vitest-environment node
import { runInNewContext } from 'node:vm';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { snippet } from '../src/loader/snippet.ts';
import { buildModules, buildScript, bundlePage, gzipBytes, minimalPage } from './bundle.ts';

// A build takes seconds while other tests are running.
vi.setConfig({ testTimeout: 30_000 });

let published: Map<string, string>;
beforeAll(async () => {
  published = await buildModules();
});

const formatBytes = (bytes: number): string => `${bytes.toLocaleString('en')} B`;

test.each([
  ['index', 3_500],
  ['errors', 1_500],
])('a page that starts %s loads at most %d bytes, gzipped', async (entry, maxBytes) => {
  const code = await bundlePage(minimalPage(entry), published);
  const bytes = gzipBytes(code);
  process.stdout.write(`@service/browser, ${entry}: ${formatBytes(bytes)} gzip\n`);
  expect(bytes).toBeLessThanOrEqual(maxBytes);
  expect(code).not.toMatch(/\bimport\b/);
});

test('passes literal booleans to addEventListener, which zone.js and happy-dom expect', async () => {
  const code = await bundlePage(minimalPage('index'), published);
  expect(code.match(/EventListener\([^()]+\)/g)).toEqual(
    expect.arrayContaining([expect.stringMatching(/^EventListener\(\w,\w,!0\)$/)]),
  );
  expect(code).not.toMatch(/EventListener\([^()]*,1\)/);
});

test('the default entry contains its version', async () => {
  expect(await bundlePage(minimalPage('index'), published)).toContain(JSON.stringify(manifest.version));
});

test('index.js and its chunks take at most 4,400 bytes, gzipped', async () => {
  const files = [...published].filter(([name]) => /^(index|chunk-.*)\.js$/.test(name));
  const bytes = files.map(([, code]) => gzipBytes(code)).reduce((sum, each) => sum + each);
  process.stdout.write(`@service/browser, index.js and its chunks: ${formatBytes(bytes)} gzip\n`);
  expect(bytes).toBeLessThanOrEqual(4_400);
});

describe('the adapter', () => {
  const core = /^\.\/chunk-|^(react|vue)$/;

  test.each([
    ['react', 'ErrorBoundary'],
    ['react', 'reactErrorHandlers'],
    ['vue', 'errorReporting'],
    ['svelte', 'captureBoundaryError'],
  ])('%s, %s takes at most 300 bytes, gzipped', async (entry, name) => {
    const bytes = gzipBytes(await bundlePage(`export { ${name} } from './${entry}.js';`, published, core));
    process.stdout.write(`@service/browser/${entry}, ${name}: ${formatBytes(bytes)} gzip\n`);
    expect(bytes).toBeLessThanOrEqual(300);
  });

  test.each([
    ['react', 'ErrorBoundary'],
    ['react', 'reactErrorHandlers'],
    ['vue', 'errorReporting'],
    ['svelte', 'captureBoundaryError'],
  ])('%s, %s adds at most 300 bytes to a page', async (entry, name) => {
    const without = gzipBytes(await bundlePage(minimalPage('index'), published));
    const page = `${minimalPage('index')} export { ${name} } from './${entry}.js';`;
    const bytes = gzipBytes(await bundlePage(page, published)) - without;
    process.stdout.write(`@service/browser/${entry}, ${name}: ${formatBytes(bytes)} gzip more\n`);
    expect(bytes).toBeLessThanOrEqual(300);
  });
});

test('the loader snippet takes at most 300 bytes, gzipped', () => {
  const bytes = gzipBytes(snippet);
  process.stdout.write(`@service/browser/loader, the snippet: ${formatBytes(bytes)} gzip\n`);
  expect(bytes).toBeLessThanOrEqual(300);
});

test('the script for pages without a bundler sets one global', async () => {
  const page: Record<string, object> = {};
  runInNewContext(await buildScript(), page);
  expect(Object.keys(page)).toEqual(['ServiceSDK']);
  expect(new Set(Object.keys(page.ServiceSDK ?? {}))).toEqual(
    new Set([
      'init',
      'close',
      'flush',
      'captureException',
      'captureMessage',
      'addBreadcrumb',
      'setUser',
      'setMetadata',
    ]),
  );
});
