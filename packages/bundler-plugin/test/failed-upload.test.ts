import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createService, type Service } from '@service/server';
import { build } from 'vite';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { serveOnLoopback } from '../../../test/test-utils/serve-on-loopback.ts';
import { Build } from '../src/build.ts';
import type { ServicePluginOptions } from '../src/options.ts';
import { service as plugin } from '../src/vite.ts';
import { createSmallApp } from './create-small-app.ts';

const token = 'test-admin-token-0123456789';
let root: string;
let service: Service;
let endpoint: string;

beforeAll(async () => {
  service = await createService({ storage: 'memory:', adminToken: token, port: 0, logLevel: 'silent' });
  ({ url: endpoint } = await service.listen());
  root = await createSmallApp();
});

afterEach(() => vi.restoreAllMocks());

afterAll(async () => {
  await service.close();
  await rm(root, { recursive: true });
});

/** Builds the app. Resolves with what the plugin has printed. */
async function printed(options: ServicePluginOptions): Promise<string> {
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  warn.mockClear();
  const plugins = [plugin({ endpoint, token, release: 'shop 7', ...options })];
  await build({ root, configFile: false, logLevel: 'silent', plugins });
  return warn.mock.calls.join('\n');
}

const nextStep =
  /in (\S+)\. Upload them, and remove them before you deploy: service sourcemaps upload \1 --release 'shop 7'$/;

test('a wrong token does not fail the build, and one line says what to set and how to upload', async () => {
  const line = await printed({ token: 'wrong' });
  expect(line).toMatch(
    /^\[service\] The server does not accept the token\. Set SERVICE_TOKEN .*\. The source maps are/,
  );
  expect(line).toMatch(nextStep);
});

test('an invalid endpoint does not fail the build, and one line says what to set and how to upload', async () => {
  const line = await printed({ endpoint: 'errors.example.com' });
  expect(line).toMatch(/^\[service\] SERVICE_ENDPOINT is no URL\. Set the URL of the server, such as https:/);
  expect(line).toMatch(nextStep);
});

test('a token or an endpoint that cannot be sent is not printed, and one line says what to set', async () => {
  for (const secret of ['secret-1\nsecret-2', 'secret…']) {
    const line = await printed({ token: secret });
    expect(line).toMatch(
      /^\[service\] SERVICE_TOKEN has characters that no token has\. Copy it again\. The source maps are/,
    );
    expect(line).not.toContain('secret');
  }
  const swapped = { endpoint: 'secret-token', token: endpoint };
  for (const mistake of [swapped, { endpoint: 'https//user:secret@errors.example.com' }]) {
    const line = await printed(mistake);
    expect(line).toMatch(/^\[service\] SERVICE_ENDPOINT is no URL\./);
    expect(line).not.toContain('secret');
  }
  const line = await printed({ endpoint: endpoint.replace('//', '//user:secret@') });
  expect(line).toMatch(/^\[service\] SERVICE_ENDPOINT contains a user name or a password\./);
  expect(line).not.toContain('secret');
});

test('an unknown project does not fail the build, and the line lists the projects of the team', async () => {
  const { id } = await service.createProject({ name: 'Shop' });
  const line = await printed({ project: 'Shp' });
  expect(line).toContain(`[service] No project matches "Shp". Projects: ${id} "Shop". The source maps are`);
  // A secret that was pasted with its line break works.
  expect(await printed({ project: 'Shop', token: `${token}\n` })).toBe(
    '[service] 1 of 1 source maps is proven (0 unchanged), release shop 7.',
  );
});

test('numbers of a configuration in JavaScript are taken as texts, and empty or false ones as not set', async () => {
  const { id } = await service.createProject({ name: 'Numbers' });
  const release = 7 as unknown as string;
  expect(await printed({ project: id as unknown as string, release })).toContain('is proven (0 unchanged), release 7.');
  vi.stubEnv('SERVICE_RELEASE', 'shop 8');
  try {
    expect(await printed({ project: String(id), release: '' })).toContain('release shop 8.');
    vi.stubEnv('SERVICE_PROJECT', String(id));
    const unset = false as unknown as string;
    expect(await printed({ project: unset, release: unset })).toContain('release shop 8.');
  } finally {
    vi.unstubAllEnvs();
  }
});

test('a build without a release says why, and what to set', async () => {
  // Git finds no commit, and the variables of a CI service are not set.
  vi.stubEnv('GIT_DIR', root);
  for (const name of ['SERVICE_RELEASE', 'GITHUB_SHA', 'CI_COMMIT_SHA', 'GIT_COMMIT']) vi.stubEnv(name, undefined);
  try {
    expect(await printed({ project: 'Shop', release: undefined })).toMatch(
      /proven \(\d unchanged\), without a release: no commit was found\. Set SERVICE_RELEASE\.$/,
    );
    expect(await printed({ project: 'Shop', release: null })).toMatch(/proven \(\d unchanged\), without a release\.$/);
  } finally {
    vi.unstubAllEnvs();
  }
});

test('a build says that it is uploading if the server does not respond for three seconds', async () => {
  await writeFile(join(root, 'app.js'), 'go();\n//# sourceMappingURL=app.js.map');
  await writeFile(join(root, 'app.js.map'), '{"version":3,"sources":["a.ts"],"names":[],"mappings":"AAAA"}');
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  let onRequest = (): void => undefined;
  const requested = new Promise<void>((resolve) => (onRequest = resolve));
  const { url, close } = await serveOnLoopback(() => onRequest());
  const silent = new URL(url).origin;
  // The upload never ends: its pauses between attempts are timers too.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const silentBuild = new Build({ endpoint: silent, token, release: null });
    void silentBuild.finish({ folder: root, names: ['app.js', 'app.js.map'], publicPath: '/' });
    await requested;
    expect(warn.mock.calls).toEqual([]);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(warn.mock.calls.join('\n')).toBe(`[service] Uploading 1 source map to ${silent}…`);
  } finally {
    await close();
    vi.useRealTimers();
  }
});
