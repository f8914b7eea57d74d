import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { bundlePage, gzipBytes, minimalPage, readModules } from '../packages/browser/test/bundle.ts';
import { snippet } from '../packages/browser/src/loader/index.ts';

const path = (file: string): string => fileURLToPath(new URL(`../${file}`, import.meta.url));
const read = (file: string): string => readFileSync(path(file), 'utf8');

describe('the size of the SDK, as a page gets it, is quoted:', () => {
  const measured = new Map<string, Promise<number>>();
  async function bytesOf(code: string): Promise<number> {
    const bytes = measured.get(code) ?? bundlePage(code, readModules()).then(gzipBytes);
    measured.set(code, bytes);
    return bytes;
  }
  const start = minimalPage('index');
  const added = (entry: string, name: string) => async (): Promise<number> =>
    (await bytesOf(`${start} export { ${name} } from './${entry}.js';`)) - (await bytesOf(start));

  const quotes: [file: string, words: RegExp, measure: () => Promise<number>][] = [
    ['README.md', /a browser SDK of ([\d,]+) B/, () => bytesOf(start)],
    ['README.md', /([\d,]+) B for errors alone/, () => bytesOf(minimalPage('errors'))],
    ['packages/browser/README.md', /`@service\/browser` +\| ([\d,]+) B/, () => bytesOf(start)],
    ['packages/browser/README.md', /`@service\/browser\/errors` +\| ([\d,]+) B/, () => bytesOf(minimalPage('errors'))],
    ['packages/browser/README.md', /`ErrorBoundary` .*\| ([\d,]+) B more/, added('react', 'ErrorBoundary')],
    ['packages/browser/README.md', /`reactErrorHandlers` .*\| ([\d,]+) B more/, added('react', 'reactErrorHandlers')],
    ['packages/browser/README.md', /`errorReporting` .*\| ([\d,]+) B more/, added('vue', 'errorReporting')],
    [
      'packages/browser/README.md',
      /`captureBoundaryError` .*\| ([\d,]+) B more/,
      added('svelte', 'captureBoundaryError'),
    ],
    ['packages/browser/README.md', /snippet.*\| ([\d,]+) B/, () => Promise.resolve(gzipBytes(snippet))],
  ];

  test.each(quotes)('%s, %s', async (file, words, measure) => {
    const [, quoted] = words.exec(read(file)) ?? [];
    // Versions of Node bring versions of zlib, which differ by a few bytes.
    expect(Math.abs(Number(quoted?.replace(',', '')) - (await measure()))).toBeLessThanOrEqual(10);
  });

  test.each(['README.md', 'packages/browser/README.md'])('%s quotes no other size, and no speed', (file) => {
    const checked = quotes.filter(([where]) => where === file).length;
    expect(read(file).match(/\d\s?(B|[kK]i?B|µs|ms)\b/g)).toHaveLength(checked);
  });

  test('docs/early-errors.md, the length and the hash of the snippet', () => {
    const page = read('docs/early-errors.md');
    expect(page).toContain(`a snippet of ${snippet.length} characters`);
    expect(page).toContain(`sha256-${createHash('sha256').update(snippet).digest('base64')}`);
  });
});

describe('README.md', () => {
  const readme = read('README.md');

  test('names every setting, and none that does not exist', async () => {
    const { Config, variableName } = (await import('../packages/server/src/config.ts')) as {
      Config: { shape: Record<string, unknown> };
      variableName: (name: string) => string;
    };
    const settings = Object.keys(Config.shape).map(variableName);
    expect(new Set(readme.match(/SERVICE_[A-Z_]+/g))).toEqual(new Set(settings));
  });

  test('links to files that are there', () => {
    const links = Array.from(readme.matchAll(/\]\((?!https?:)([^)#]+)\)/g), ([, link]) => link ?? '');
    expect(links.length).toBeGreaterThan(3);
    expect(links.filter((link) => !existsSync(path(link)))).toEqual([]);
  });
});
