import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { createServer, type ViteDevServer } from 'vite';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { serviceMocks } from '@service/mocks/vite';
import { hasChromium, launchChromium } from '../../../test/test-utils/chromium.mjs';
import { isThorough } from '../../../test/test-utils/depth.ts';
import { messageHeader, serversPath, type PageMessage } from '../src/browser/page-message.ts';
import type { PageUnderTest } from './page/main.ts';

describe.skipIf(!hasChromium)('a page with the service worker of msw', () => {
  let vite: ViteDevServer;
  let browser: Browser;
  const pages: Page[] = [];

  beforeAll(async () => {
    vite = await createServer({
      root: fileURLToPath(new URL('page/', import.meta.url)),
      configFile: false,
      logLevel: 'silent',
      cacheDir: fileURLToPath(new URL('../node_modules/.vite-page', import.meta.url)),
      server: { host: '127.0.0.1', port: 0 },
      optimizeDeps: { include: ['msw/browser'] },
      plugins: [serviceMocks()],
    });
    await vite.listen();
    browser = await launchChromium();
  });

  afterEach(async () => {
    for (const page of pages.splice(0)) await page.close();
  });

  afterAll(async () => {
    await browser?.close();
    await vite?.close();
  });

  async function open(): Promise<Page> {
    const page = await browser.newPage();
    pages.push(page);
    await page.goto(vite.resolvedUrls?.local[0] ?? '');
    await page.waitForFunction(() => 'started' in globalThis);
    await page.evaluate(async () => {
      const { service, sdk, started } = globalThis as unknown as PageUnderTest;
      await started;
      await service.start();
      sdk.init(service);
    });
    return page;
  }

  /** Reports in the page, and resolves with what its service has accepted and rejected. */
  function report(page: Page, message: string) {
    return page.evaluate(async (text) => {
      const { service, sdk } = globalThis as unknown as PageUnderTest;
      sdk.captureMessage(text);
      await sdk.flush(20_000);
      return { accepted: service.reports, rejected: service.rejected, groups: await service.groups() };
    }, message);
  }

  test('reports to the real server', async () => {
    const page = await open();
    expect((await report(page, 'Order 17 is lost')).accepted).toMatchObject([{ is_new_group: true }]);
    const { accepted, groups } = await report(page, 'Order 23 is lost');
    expect(accepted).toMatchObject([{ message: 'Order 17 is lost' }, { is_new_group: false }]);
    expect(groups).toMatchObject([{ count: 2 }]);
    // The requests to Vite are not those of the app, so they are no breadcrumbs.
    expect(
      accepted.flatMap(({ breadcrumbs = [] }) => breadcrumbs).filter(({ category }) => category === 'fetch'),
    ).toEqual([]);
    const other = await open();
    expect((await report(other, 'Order 29 is lost')).accepted).toMatchObject([{ is_new_group: true }]);
  });

  test('gets the responses of the scenarios', async () => {
    const page = await open();
    const warning = page.waitForEvent('console', (message) => message.type() === 'warning');
    await page.evaluate(() => (globalThis as unknown as PageUnderTest).service.quotaExhausted());
    expect((await report(page, 'one')).rejected).toMatchObject([{ status: 429 }]);
    expect((await warning).text()).toMatch(/^\[ServiceSDK\]/);
    const readable = await page.evaluate(async () => {
      const { service } = globalThis as unknown as PageUnderTest;
      service.originNotAllowed();
      const post = { method: 'POST', body: JSON.stringify({ project_api_key: service.apiKey, message: 'two' }) };
      return fetch(`${service.endpoint}/api/v1/errors`, post).then(
        () => true,
        () => false,
      );
    });
    expect(readable).toBe(false);
  });

  test('forgets everything with reset()', async () => {
    const page = await open();
    await report(page, 'one');
    const left = await page.evaluate(async () => {
      const { service } = globalThis as unknown as PageUnderTest;
      await service.reset();
      return [...service.reports, ...(await service.groups())];
    });
    expect(left).toEqual([]);
  });
});

describe('a development server', () => {
  const apiKey = `pk_${'page'.repeat(10)}`;
  const adminToken = 'page-servers-'.repeat(3);
  let vite: ViteDevServer;

  beforeAll(async () => {
    vite = await createServer({
      configFile: false,
      logLevel: 'silent',
      server: { host: '127.0.0.1', port: 0 },
      plugins: [serviceMocks()],
    });
    await vite.listen();
  });

  afterAll(() => vite?.close());

  function send(page: string, init: RequestInit): Promise<Response> {
    return fetch(new URL(`${serversPath}/${page}`, vite.resolvedUrls?.local[0]), { method: 'POST', ...init });
  }

  /** Sends a request to the server of a page, as its mocked service does. */
  function request(page: string, method: string, path: string, body: object | null): Promise<Response> {
    const headers: [string, string][] = [
      ['authorization', `Bearer ${adminToken}`],
      ['content-type', 'application/json'],
    ];
    const message: PageMessage = {
      type: 'request',
      options: { apiKey, settings: { adminToken } },
      server: 'accepting',
      request: { method, path, headers },
      hasBody: body !== null,
    };
    return send(page, {
      headers: { [messageHeader]: encodeURIComponent(JSON.stringify(message)) },
      body: body && JSON.stringify(body),
    });
  }

  async function countGroups(page: string): Promise<number> {
    const response = await request(page, 'GET', '/api/v1/errors', null);
    return ((await response.json()) as { items: unknown[] }).items.length;
  }

  test('pages of other origins cannot use the servers', async () => {
    expect((await send('1', { body: '{}' })).status).toBe(400);
  });

  // Seventeen servers take as long as all other tests of this file.
  test.runIf(isThorough)('closes the servers of the pages that were not used for the longest time', async () => {
    const report = { project_api_key: apiKey, message: 'The cart is lost' };
    for (const page of ['first', 'second'])
      expect((await request(page, 'POST', '/api/v1/errors', report)).status).toBe(200);
    expect(await countGroups('first')).toBe(1);
    // The fifteen pages make it seventeen, so the servers of `second`, the least recently used, are closed.
    for (let other = 0; other < 15; other++) expect(await countGroups(`other ${other}`)).toBe(0);
    expect(await countGroups('first')).toBe(1);
    expect(await countGroups('second')).toBe(0);
  });
});
