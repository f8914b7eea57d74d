import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { bundlePage, gzipBytes, minimalPage, readModules } from '../packages/browser/test/bundle.ts';

const path = (file: string): string => fileURLToPath(new URL(`../${file}`, import.meta.url));
const read = (file: string): string => readFileSync(path(file), 'utf8');

describe('README.md', () => {
  const readme = read('README.md');

  test('quotes the size of the SDK as a page gets it', async () => {
    const bytes = gzipBytes(await bundlePage(minimalPage('index'), readModules()));
    const [, quoted] = /a browser SDK of ([\d,]+) B/.exec(readme) ?? [];
    // Versions of Node bring versions of zlib, which differ by a few bytes.
    expect(Math.abs(Number(quoted?.replace(',', '')) - bytes)).toBeLessThanOrEqual(10);
  });

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
