import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type InlineConfig } from 'vite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { service } from '../src/vite.ts';
import { createSmallApp } from './create-small-app.ts';

let root: string;

beforeEach(async () => {
  root = await createSmallApp();
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
