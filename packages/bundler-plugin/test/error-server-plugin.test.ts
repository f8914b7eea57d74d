import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ErrorGroup, Page, Tokens } from '@service/protocol';
import type { Browser } from 'playwright-core';
import { createServer, type ViteDevServer } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasChromium, launchChromium } from '../../../test/test-utils/chromium.mjs';
import { service } from '../src/vite.ts';

const app = fileURLToPath(new URL('app/', import.meta.url));

describe.skipIf(!hasChromium)('vite dev with dev: true', () => {
  let root: string;
  let browser: Browser;
  let server: ViteDevServer;
  let url: string;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'error-server-'));
    await cp(app, root, { recursive: true });
    const settings =
      'globalThis.shop = { apiKey: import.meta.env.VITE_SERVICE_API_KEY, endpoint: import.meta.env.VITE_SERVICE_ENDPOINT };';
    await writeFile(join(root, 'settings.js'), settings);
    await writeFile(
      join(root, 'index.html'),
      '<!doctype html><script type="module" src="/settings.js"></script><script type="module" src="/main.ts"></script><button id="pay">Pay</button>',
    );
    server = await createServer({
      root,
      configFile: false,
      logLevel: 'silent',
      server: { host: '127.0.0.1', port: 0 },
      resolve: { alias: { '@service/browser': fileURLToPath(import.meta.resolve('@service/browser')) } },
      plugins: [service({ dev: true })],
    });
    await server.listen();
    url = server.resolvedUrls?.local[0] ?? '';
    browser = await launchChromium();
  });

  afterAll(async () => {
    await browser?.close();
    await server?.close();
    await rm(root, { recursive: true });
  });

  test('shows the errors of the app at /__errors, with nothing to set up', async () => {
    const page = await browser.newPage();
    await page.goto(url);
    await page.getByText('Pay').click();
    const link = await fetch(`${url}__errors`, { redirect: 'manual' });
    expect(link.status).toBe(302);
    const [endpoint = '', token = ''] = (link.headers.get('Location') ?? '').split(/\/?#sign-in=/);
    const signIn = await fetch(`${endpoint}/api/v1/auth/links/use`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token }),
    });
    const { access_token: accessToken } = (await signIn.json()) as Tokens;
    const read = async (): Promise<ErrorGroup[]> => {
      const response = await fetch(`${endpoint}/api/v1/errors`, {
        headers: { Authorization: `Bearer ${accessToken}` },
      });
      return ((await response.json()) as Page<ErrorGroup>).items;
    };
    await expect
      .poll(read)
      .toMatchObject([{ message: 'The cart has 0 items', culprit: expect.stringContaining('checkout') }]);
    // The dashboard opens, signed in.
    await page.goto(`${url}__errors`);
    await page.getByText('The cart has 0 items').first().waitFor();
    await page.close();
  });

  test('stops its server with the dev server', async () => {
    const link = await fetch(`${url}__errors`, { redirect: 'manual' });
    const endpoint = new URL(link.headers.get('Location') ?? '').origin;
    expect((await fetch(`${endpoint}/healthz`)).status).toBe(200);
    await server.close();
    await expect(fetch(`${endpoint}/healthz`)).rejects.toThrow('fetch failed');
  });
});

test('leaves production builds unchanged', async () => {
  const plugins = [service({ dev: true })].flat();
  expect(plugins.find(({ name }) => name === 'service-error-server')?.apply).toBe('serve');
});
