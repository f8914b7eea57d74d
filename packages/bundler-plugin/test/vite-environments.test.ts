import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, type InlineConfig } from 'vite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { service } from '../src/vite.ts';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'vite-environments-'));
  await writeFile(join(root, 'index.html'), '<script type="module" src="/main.ts"></script>');
  await writeFile(join(root, 'main.ts'), "export const total: number = 1;\nconsole.log('total', total);\n");
});

afterEach(() => rm(root, { recursive: true }));

/** Builds with a configuration. Resolves with the debug ids of the maps. */
async function debugIds(config: InlineConfig): Promise<(string | undefined)[]> {
  const plugins = [service({ upload: false, release: null })];
  await build({ root, configFile: false, logLevel: 'error', plugins, ...config });
  const files = await readdir(join(root, 'dist'), { recursive: true });
  const maps = files.filter((file) => file.endsWith('.map')).map((file) => readFile(join(root, 'dist', file), 'utf8'));
  return (await Promise.all(maps)).map((map) => (JSON.parse(map) as { debugId?: string }).debugId);
}

test('an environment for which a framework switches maps off gets maps', async () => {
  const config = { environments: { client: { build: { sourcemap: false } } } };
  expect(await debugIds(config)).toEqual([expect.stringMatching(/^[\da-f-]{36}$/)]);
});

test('an environment without maps stays without maps if the user has configured maps', async () => {
  const config = { build: { sourcemap: true }, environments: { client: { build: { sourcemap: false } } } };
  expect(await debugIds(config)).toEqual([]);
});
