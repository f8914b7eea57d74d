import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { snippet } from '../../packages/browser/src/loader/snippet.ts';
import { hasChromium, launchChromium } from '../test-utils/chromium.mjs';
import { openDemoPage, type DemoPage } from '../e2e/demo-page.ts';
import { createOwnerApi, type GroupDetails, type OwnerApi } from '../e2e/owner-api.ts';
import { adminToken, startServer, type ServerProcess } from '../test-utils/server-process.ts';
import { freePort } from '../test-utils/free-port.ts';
import { buildAndServe, buildByWebpackAndServe, start, startInVain, type ServedExample } from './serve-example.ts';

describe.skipIf(!hasChromium)('an example in Chromium with the real server', () => {
  let folder: string;
  let browser: Browser;
  let server: ServerProcess;
  let api: OwnerApi;
  let key: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'service-examples-'));
    browser = await launchChromium();
    server = await startServer('memory:');
    api = createOwnerApi(server.url, adminToken);
    key = String((await server.call('POST', 'projects', { name: 'Examples' })).body.api_key);
  });

  afterAll(async () => {
    await browser?.close();
    await server?.kill();
    await rm(folder, { recursive: true, force: true });
  });

  /**
   * Opens the page of an example, runs a function on it, and expects no warning. Stops the example in the end, even if
   * the function fails.
   */
  async function visit(served: ServedExample, query: Record<string, string>, story: (page: DemoPage) => Promise<void>) {
    try {
      const url = new URL(served.url);
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
      const page = await openDemoPage(browser, url.href);
      await story(page);
      expect(page.warnings).toEqual([]);
      await page.page.close();
    } finally {
      await served.close();
    }
  }

  /** Resolves with the group of this message, once its report has arrived. */
  const group = (message: string): Promise<GroupDetails> =>
    vi.waitFor(() => api.group(message), { timeout: 60_000, interval: 100 });

  test('vanilla-html reports errors from before and after the SDK has loaded', async () => {
    const served = await start('vanilla-html', { SERVICE_KEY: key, SERVICE_URL: server.url });
    await visit(served, {}, async ({ page, report, requests }) => {
      const early = await group('showRatings is not defined');
      expect(early).toMatchObject({ type: 'ReferenceError', count: 1 });
      expect(early.latest_report).toMatchObject({ environment: 'example', release: '0.1.0' });
      expect(await page.locator('#no-key').count()).toBe(0);

      await report('oolong');
      expect(await group("Cannot destructure property 'minutes' of 'teas[name]' as it is undefined.")).toMatchObject({
        type: 'TypeError',
        count: 1,
      });
      await report('stock');
      expect(await group('The stock can not be read: 404')).toMatchObject({ type: 'Error', count: 1 });
      await report('voucher');
      const voucher = (await api.groups()).find(({ type }) => type === 'SyntaxError');
      expect(voucher).toMatchObject({ level: 'warning', count: 1 });
      expect((await group(voucher?.message ?? '')).latest_report.metadata).toEqual({ voucher: 'TEA-10' });
      expect(requests).toHaveLength(4);
    });
  });

  test('vanilla-html contains the published snippet', async () => {
    const page = await readFile(new URL('../../examples/vanilla-html/index.html', import.meta.url), 'utf8');
    expect(page).toContain(`<script>${snippet}</script>`);
  });

  test('vite-react reports each error once, with the component stack', async () => {
    const served = await buildAndServe('vite-react', folder);
    await visit(served, { key, server: server.url }, async ({ page, report, requests }) => {
      await report('gift');
      const gift = await group("Cannot read properties of undefined (reading 'amount')");
      expect(gift).toMatchObject({ type: 'TypeError', count: 1 });
      expect(gift.latest_report.metadata?.componentStack).toMatch(/^\s+at Line\b[^]+\n\s+at Basket\b[^]+\n\s+at App\b/);
      await page.click('#reset');
      await page.locator('#gift').waitFor();

      await report('pay');
      expect(await group('The card was declined')).toMatchObject({ type: 'Error', count: 1 });

      await report('close');
      const closed = await group('The shop is closed');
      expect(closed).toMatchObject({ type: 'Error', count: 1 });
      expect(closed.latest_report.metadata?.componentStack).toMatch(/^\s+at Shop\b/);

      // A second report would have arrived before this one.
      await Promise.all([
        page.waitForResponse((response) => response.url().endsWith('/api/v1/errors')),
        page.evaluate(() => void setTimeout(() => Promise.reject(new Error('The last one')))),
      ]);
      expect(requests).toHaveLength(4);
    });
  });

  test('vite-vue reports errors of components with their names, with a key from the environment', async () => {
    const settings = { VITE_SERVICE_KEY: key, VITE_SERVICE_URL: server.url };
    const served = await buildAndServe('vite-vue', folder, settings);
    await visit(served, {}, async ({ report, requests }) => {
      await report('gift');
      const gift = await group("Cannot read properties of undefined (reading 'cents')");
      expect(gift).toMatchObject({ type: 'TypeError', count: 1 });
      expect(gift.latest_report.metadata).toEqual({ componentName: 'basket', lifecycleHook: expect.any(String) });

      await report('pay');
      const pay = await group('The payment was refused: 404');
      expect(pay).toMatchObject({ type: 'Error', count: 1 });
      expect(pay.latest_report.metadata).toMatchObject({ componentName: 'app' });
      expect(requests).toHaveLength(2);
    });
  });

  test('embedded serves its page, the SDK, the API and the dashboard from one port', async () => {
    const served = await start('embedded', { PORT: String(await freePort()) });
    await visit(served, {}, async ({ page, report, requests }) => {
      const response = await report('pay');
      expect(response.status()).toBe(200);
      expect(requests).toHaveLength(1);
      await page.goto(new URL('/', served.url).href);
      await page.getByRole('button', { name: 'Sign in' }).waitFor();
    });
  });

  test('webpack reports an error, a rejected promise and a caught error', async () => {
    const served = await buildByWebpackAndServe('webpack', folder, { SERVICE_KEY: key, SERVICE_URL: server.url });
    await visit(served, {}, async ({ report, requests }) => {
      await report('total');
      expect(await group('An item has no price')).toMatchObject({ type: 'TypeError', count: 1 });
      await report('pay');
      expect(await group('The payment was refused: 404')).toMatchObject({ type: 'Error' });
      await report('voucher');
      const groups = await api.groups();
      expect(groups.filter(({ type, level }) => type === 'SyntaxError' && level === 'warning').length).toBeGreaterThan(
        0,
      );
      expect(requests).toHaveLength(3);
    });
  });
});

test('node-report reports a failed request, with the function that failed', async () => {
  const server = await startServer('memory:');
  const api = createOwnerApi(server.url, adminToken);
  const key = String((await server.call('POST', 'projects', { name: 'Teas' })).body.api_key);
  const served = await start('node-report', { SERVICE_KEY: key, SERVICE_URL: server.url });
  try {
    expect((await fetch(new URL('coffee', served.url))).status).toBe(500);
    const group = await vi.waitFor(() => api.group('There is no tea coffee'), { timeout: 60_000, interval: 100 });
    expect(group).toMatchObject({ type: 'RangeError', count: 1, culprit: expect.stringContaining('price') });
    expect(group.latest_report.metadata).toEqual({ method: 'GET', path: '/coffee' });
  } finally {
    await served.close();
    await server.kill();
  }
});

test('vanilla-html names the setting for a port that is in use', async () => {
  const other = await start('vanilla-html', {});
  try {
    const { port } = new URL(other.url);
    expect(await startInVain('vanilla-html', { PORT: port })).toEqual({
      code: 1,
      output: `vanilla-html: Port ${port} is taken. Choose another: PORT=4500 npm start\n`,
    });
  } finally {
    await other.close();
  }
});
