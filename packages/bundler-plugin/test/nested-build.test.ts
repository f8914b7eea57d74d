import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createService, type Service } from '@service/server';
import { build, type InlineConfig, type Plugin } from 'vite';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { service as plugin } from '../src/vite.ts';
import { createSmallApp } from './create-small-app.ts';

const token = 'test-admin-token-0123456789';
let root: string;
let service: Service;
let endpoint: string;

beforeAll(async () => {
  service = await createService({ storage: 'memory:', adminToken: token, port: 0, logLevel: 'silent' });
  ({ url: endpoint } = await service.listen());
  await service.createProject({ name: 'Shop' });
  root = await createSmallApp();
});

afterEach(() => vi.restoreAllMocks());

afterAll(async () => {
  await service.close();
  await rm(root, { recursive: true });
});

/** Builds the server and, inside of that, the client, as SvelteKit 2 does. Resolves with the maps that are left. */
async function mapsLeft(config: InlineConfig): Promise<string[]> {
  vi.spyOn(console, 'warn').mockReturnValue();
  const shared = (): InlineConfig => ({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [plugin({ endpoint, token, release: 'shop 7', strict: true })],
  });
  let sourcemap: boolean | 'inline' | 'hidden' = false;
  const framework: Plugin = {
    name: 'framework',
    configResolved: (resolved) => void ({ sourcemap } = resolved.build),
    async writeBundle() {
      await build({ ...shared(), build: { outDir: 'dist/client', sourcemap } });
    },
  };
  const outer = { ...shared(), ...config };
  await build({
    ...outer,
    plugins: [framework, ...(outer.plugins ?? [])],
    build: { outDir: 'dist/server', ...config.build },
  });
  const files = await readdir(join(root, 'dist'), { recursive: true });
  return files.filter((file) => file.endsWith('.map')).map((file) => file.split('/')[0] ?? file);
}

test('a build inside of another one leaves no maps in the output', async () => {
  expect(await mapsLeft({})).toEqual([]);
});

test('a build inside of another one keeps the maps that the user has configured', async () => {
  expect((await mapsLeft({ build: { sourcemap: 'hidden' } })).toSorted()).toEqual(['client', 'server']);
});
