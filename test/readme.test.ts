import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { snippet } from '../packages/browser/src/loader/index.ts';

const path = (file: string): string => fileURLToPath(new URL(`../${file}`, import.meta.url));
const read = (file: string): string => readFileSync(path(file), 'utf8');

// packages/browser/test/size.test.ts measures these sizes.
test.each([
  ['README.md', 2],
  ['packages/browser/README.md', 41],
])('%s quotes %d sizes that are measured, and no speed', (file, count) => {
  expect(read(file).match(/\d\s?(B|[kK]i?B|µs|ms)\b/g)).toHaveLength(count);
});

test('docs/early-errors.md quotes the length and the hash of the snippet', () => {
  const page = read('docs/early-errors.md');
  expect(page).toContain(`a snippet of ${snippet.length} characters`);
  expect(page).toContain(`sha256-${createHash('sha256').update(snippet).digest('base64')}`);
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
