// An app imports the mocks for its tests only, so its bundle must not contain them.
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { bundlePage, minimalPage } from '../../packages/browser/test/bundle.ts';

const installed = fileURLToPath(new URL('../../node_modules', import.meta.url));
const page = minimalPage('@service/browser');
let project: string;

beforeAll(async () => {
  vi.stubEnv('NODE_ENV', 'production');
  project = await mkdtemp(join(tmpdir(), 'service-bundles-'));
  await symlink(installed, join(project, 'node_modules'), 'junction');
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(project, { recursive: true });
});

// Rollup replaces `process.env.NODE_ENV` only with a plugin.
test.each(['Vite', 'webpack', 'esbuild'])('%s: an import for tests only adds no byte', async (bundler) => {
  const mentioning = `${page} if (process.env.NODE_ENV === 'test') await import('@service/mocks/vitest');`;
  const code = await bundlePage(project, bundler, mentioning);
  expect(code).not.toMatch(/mockService|serviceHandlers|msw/);
  expect(code.length).toBe((await bundlePage(project, bundler, page)).length);
});

test.each(['Vite', 'rollup'])('%s: an import that is not used adds no byte', async (bundler) => {
  const mentioning = `import { serviceHandlers } from '@service/mocks'; ${page}`;
  expect(await bundlePage(project, bundler, mentioning)).toBe(await bundlePage(project, bundler, page));
});
