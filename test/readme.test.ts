import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { bundlePage, gzipBytes, minimalPage, readModules } from '../packages/browser/test/bundle.ts';
import { snippet } from '../packages/browser/src/loader/index.ts';

const path = (file: string): string => fileURLToPath(new URL(`../${file}`, import.meta.url));
const read = (file: string): string => readFileSync(path(file), 'utf8');

describe('quoted sizes of the SDK in a page', () => {
  const measured = new Map<string, Promise<number>>();
  async function bytesOf(code: string): Promise<number> {
    const bytes = measured.get(code) ?? bundlePage(code, readModules()).then(gzipBytes);
    measured.set(code, bytes);
    return bytes;
  }
  const start = minimalPage('index');
  const added = (entry: string, name: string) => async (): Promise<number> =>
    (await bytesOf(`${start} export { ${name} } from './${entry}.js';`)) - (await bytesOf(start));

  const quotes: [file: string, pattern: RegExp, measure: () => Promise<number>][] = [
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

  test.each(quotes)('%s quotes the measured size in %s', async (file, pattern, measure) => {
    const [, quoted] = pattern.exec(read(file)) ?? [];
    // Node.js versions have different zlib versions, whose output differs by a few bytes.
    expect(Math.abs(Number(quoted?.replace(',', '')) - (await measure()))).toBeLessThanOrEqual(10);
  });

  test.each(['README.md', 'packages/browser/README.md'])('%s quotes no other size and no speed', (file) => {
    const checked = quotes.filter(([quoting]) => quoting === file).length;
    expect(read(file).match(/\d\s?(B|[kK]i?B|µs|ms)\b/g)).toHaveLength(checked);
  });

  test('docs/early-errors.md quotes the length and the hash of the snippet', () => {
    const page = read('docs/early-errors.md');
    expect(page).toContain(`a snippet of ${snippet.length} characters`);
    expect(page).toContain(`sha256-${createHash('sha256').update(snippet).digest('base64')}`);
  });
});

describe('documented settings', () => {
  /** The variables of all settings, and the flags of those that have one. */
  async function readSettings(): Promise<{ variables: string[]; flags: Map<string, string> }> {
    const { Config, flagNames, variableName } = (await import('../packages/server/src/config.ts')) as {
      Config: { shape: Record<string, unknown> };
      flagNames: Record<string, string>;
      variableName: (name: string) => string;
    };
    const flags = Object.entries(flagNames).map(([name, flag]): [string, string] => [variableName(name), flag]);
    return { variables: Object.keys(Config.shape).map(variableName), flags: new Map(flags) };
  }

  const rows = Array.from(read('docs/settings.md').matchAll(/^\| *(?:`(--[\w-]+)`)? *\| *`(SERVICE_[A-Z_]+)` *\|/gm));

  test('docs/settings.md has one row per setting, and no other rows', async () => {
    const { variables } = await readSettings();
    expect(rows.map(([, , variable]) => variable).toSorted()).toEqual(variables.toSorted());
  });

  test('docs/settings.md names the flag of every setting that has one', async () => {
    const { flags } = await readSettings();
    const documented = rows.flatMap(([, flag, variable = '']) => (flag ? [[variable, flag] as const] : []));
    expect(new Map(documented)).toEqual(flags);
  });

  test.each(['README.md', 'docs/settings.md', 'docs/self-hosting.md'])(
    '%s names only existing settings',
    async (file) => {
      const { variables } = await readSettings();
      const named = new Set(read(file).match(/SERVICE_[A-Z]+(?:_[A-Z]+)*/g));
      expect([...named].filter((variable) => !variables.includes(variable))).toEqual([]);
    },
  );
});

test('every relative link in README.md has a target', () => {
  const links = Array.from(read('README.md').matchAll(/\]\((?!https?:)([^)#]+)\)/g), ([, link]) => link ?? '');
  expect(links.length).toBeGreaterThan(3);
  expect(links.filter((link) => !existsSync(path(link)))).toEqual([]);
});
