import type { Page, Request } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { hasChromium } from '../test-utils/chromium.mjs';
import { useDashboard } from './context.ts';

describe.skipIf(!hasChromium)('live updates of the dashboard', () => {
  const dashboard = useDashboard();
  let shop: { id: number; api_key: string };
  beforeAll(async () => {
    shop = await dashboard.createProject('Shop');
    await fail('pay', { environment: 'production' });
    await fail('ship', { environment: 'staging' });
  });

  const fail = (name: string, fields: object = {}) =>
    dashboard.report(shop.api_key, {
      type: 'Error',
      message: `${name} failed`,
      stacktrace: `Error: ${name} failed\n    at ${name} (src/${name}.ts:3:9)`,
      ...fields,
    });
  const isLive = (page: Page) => page.locator('.live', { hasText: /^Live( \(|$)/ }).waitFor();
  const row = (page: Page, name: string) => page.locator('tbody tr', { hasText: `${name} failed` });

  test('keep the filter of a tag that was chosen on the page of an error', async () => {
    const tags = { plan: 'gold "plus"', 'my shop': 'le marais' };
    const { error_group_id } = await fail('tagged', { tags });
    const page = await dashboard.open(`/groups/${error_group_id}`);
    await page.getByRole('link', { name: 'gold "plus"' }).click();
    await row(page, 'tagged').waitFor();
    expect(await page.getByLabel('Search errors').inputValue()).toBe(String.raw`is:all plan:"gold \"plus\""`);
    expect(await page.locator('tbody tr').count()).toBe(1);
    await isLive(page);
    await fail('untagged');
    await fail('also tagged', { tags });
    await row(page, 'also tagged').waitFor();
    await page.reload();
    await row(page, 'also tagged').waitFor();
    expect(await page.locator('tbody tr').count()).toBe(2);
    await page.goto(`${dashboard.url}/groups/${error_group_id}`);
    await page.getByRole('link', { name: 'le marais' }).click();
    await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 2);
    expect(await page.getByLabel('Search errors').inputValue()).toBe('is:all tag:"my shop:le marais"');
  });

  test('show in every tab that a resolved error is reopened by a new report', async () => {
    const context = await dashboard.newBrowser();
    const one = await dashboard.open('/', context);
    const other = await dashboard.open('/', context);
    await isLive(one);
    await isLive(other);

    await row(one, 'pay').locator('a').focus();
    await one.keyboard.press('r');
    await one.getByText('Resolved 1 error.').waitFor();
    await row(one, 'pay').locator('.badge.resolved').waitFor();
    await row(other, 'pay').locator('.badge.resolved').waitFor();

    await fail('pay');
    await row(one, 'pay').locator('.badge.reopened').waitFor();
    await row(other, 'pay').locator('.badge.reopened').waitFor();
    expect(await row(other, 'pay').locator('.reports').textContent()).toBe('2');

    // All tabs of a browser share one stream. When its tab closes, another tab takes over and misses no event.
    await one.close();
    await fail('pay');
    await row(other, 'pay').locator('.reports', { hasText: '3' }).waitFor();
  });

  // A preloaded request whose address differs from that of the script would be sent twice.
  test('start after a page that preloads its requests and sends none twice', async () => {
    for (const path of ['/', '/groups/1']) {
      const page = await (await dashboard.newBrowser()).newPage();
      const requested: string[] = [];
      page.on('request', (request) => requested.push(new URL(request.url()).pathname));
      await page.goto(dashboard.url + path);
      await isLive(page);
      await page
        .locator(path === '/' ? 'tbody tr' : '.group-head')
        .first()
        .waitFor();
      const api = requested.filter((name) => name.startsWith('/api/'));
      expect(api).toEqual([...new Set(api)]);
      expect(api[0]).toBe('/api/v1/auth/me');
      expect(requested.indexOf(path === '/' ? '/api/v1/errors' : '/api/v1/errors/1')).toBeLessThan(4);
    }
  });

  test('reach a tab that was still loading at the time of the event', async () => {
    const context = await dashboard.newBrowser();
    const one = await dashboard.open('/', context);
    await isLive(one);
    const other = await context.newPage();
    let release = (): void => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await other.route('**/assets/*.js', async (route) => {
      await released;
      await route.continue();
    });
    const list = other.waitForResponse(/\/api\/v1\/errors\?/);
    await other.goto(dashboard.url, { waitUntil: 'commit' });
    await (await list).finished();
    // Only the first tab receives this event: the other one has loaded its list, and does not listen yet.
    await fail('print');
    await row(one, 'print').waitFor();
    release();
    await row(other, 'print').waitFor();
    expect(await row(one, 'print').count()).toBe(1);
  });

  test('never move a row under the pointer: new errors wait for a click', async () => {
    const page = await dashboard.open();
    await isLive(page);
    await row(page, 'pay').hover();
    const before = await page.locator('tbody tr').count();
    const position = await row(page, 'pay').boundingBox();
    await fail('pack');
    await page.getByRole('button', { name: '1 new' }).waitFor();
    expect(await page.locator('tbody tr').count()).toBe(before);
    expect(await row(page, 'pay').boundingBox()).toEqual(position);
    await page.getByRole('button', { name: '1 new' }).click();
    await row(page, 'pack').waitFor();
    expect(await page.locator('tbody tr').first().textContent()).toContain('pack failed');
  });

  test('resume after the server restarts, without a missing event', async () => {
    const page = await dashboard.open(
      '/',
      await dashboard.newBrowser({ expectedErrors: /^Failed to load resource: net::ERR_/ }),
    );
    await isLive(page);
    await dashboard.restart(async () => {
      await page.locator('.live', { hasText: 'Reconnecting' }).waitFor();
      await page.getByText('Last updated').waitFor();
    });
    await fail('label');
    await row(page, 'label').waitFor();
    await isLive(page);
    expect(await page.getByText('Last updated').count()).toBe(0);
  });

  test('show that the browser is offline and since when, and resume without a missing event', async () => {
    const context = await dashboard.newBrowser({
      expectedErrors: /^Failed to load resource: net::ERR_INTERNET_DISCONNECTED/,
    });
    const page = await dashboard.open('/', context);
    await isLive(page);
    await context.setOffline(true);
    await page.locator('.live', { hasText: 'Offline' }).waitFor();
    await page.getByText(/^You are offline. Last updated \d/).waitFor();
    await fail('weigh');
    await context.setOffline(false);
    await row(page, 'weigh').waitFor();
    await isLive(page);
    expect(await page.getByText('You are offline.').count()).toBe(0);
  });

  test('are replaced by regular reloads behind a proxy that supports no streams', async () => {
    const context = await dashboard.newBrowser({
      extraHTTPHeaders: { via: '1.0 old-proxy' },
      expectedErrors: /status of 505/,
    });
    const page = await context.newPage();
    await page.clock.install();
    await page.goto(dashboard.url);
    await page.locator('.live', { hasText: 'Live updates off: a proxy uses HTTP/1.0' }).waitFor();
    await page.getByText('Live updates are off.').waitFor();
    await row(page, 'pay').waitFor();
    await fail('unpack');
    await page.clock.fastForward('00:10');
    await row(page, 'unpack').waitFor();
    expect(await page.getByText('Live updates are off.').count()).toBe(1);
  });

  test('resolve the frames of an open error when a source map is uploaded', async () => {
    const map = {
      version: 3,
      file: 'app-1.js',
      sources: ['src/total.ts'],
      sourcesContent: ['export function total(lines) {\n  return lines[0].price;\n}\n'],
      names: [],
      mappings: 'AACE',
    };
    const { error_group_id } = await fail('total', {
      release: '1.0.0',
      stacktrace: 'Error: total failed\n    at t (https://shop.example/assets/app-1.js:1:1)',
    });
    const page = await dashboard.open(`/groups/${error_group_id}`);
    await page.getByText('The project has no source maps yet.').first().waitFor();
    await isLive(page);
    await dashboard.uploadMap(shop.id, 'app-1.js', map, '1.0.0');
    await page.locator('.failing', { hasText: 'lines[0].price' }).first().waitFor();
    await page.getByText('src/total.ts:2:3').first().waitFor();
    expect(await page.getByText('The project has no source maps yet.').count()).toBe(0);
  });

  test('end in all tabs when the user signs out', async () => {
    const context = await dashboard.newBrowser({ expectedErrors: /status of 401/ });
    const one = await dashboard.open('/', context);
    const other = await dashboard.open('/', context);
    await isLive(one);
    await isLive(other);
    const cookies = await context.cookies();
    const requests: string[] = [];
    other.on('request', (request) => void requests.push(request.url()));
    await one.getByRole('button', { name: 'Sign out' }).click();
    await one.getByRole('heading', { name: 'Sign in' }).waitFor();
    await other.getByText('Your session expired.').waitFor();
    // Without the first tab, the other one opens a stream. It must not load the list again.
    expect(requests.filter((url) => !url.includes('/stream'))).toEqual([]);
    await context.addCookies(cookies);
    expect((await context.request.get(`${dashboard.url}/api/v1/stream`)).status()).toBe(401);
  });

  test('let a user sign out while the page loads, without a rejected request, and continue if that fails', async () => {
    const page = await (await dashboard.newBrowser({ expectedErrors: /net::ERR_FAILED/ })).newPage();
    let release = (): void => {};
    let released: Promise<void>;
    const hold = (): void => void (released = new Promise((resolve) => (release = resolve)));
    await page.route(/\/api\/v1\/(errors\?|stream)/, async (route) => {
      await released;
      await route.continue();
    });
    const rejected: string[] = [];
    page.on('response', (response) => void (response.status() === 401 && rejected.push(response.url())));

    hold();
    await page.route('**/auth/session', (route) => route.abort(), { times: 1 });
    await page.goto(dashboard.url);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('The server can’t be reached.').waitFor();
    release();
    await row(page, 'pay').waitFor();
    await isLive(page);

    hold();
    await page.route('**/auth/session', async (route) => {
      const response = await route.fetch();
      // The pending requests reach the server now, and end before the page knows that it is signed out.
      release();
      await over;
      await route.fulfill({ response });
    });
    const over = new Promise<void>((resolve) => {
      const settle = (request: Request): void => void (request.url().includes('status=resolved') && resolve());
      page.on('requestfinished', settle);
      page.on('requestfailed', settle);
    });
    await page.getByRole('link', { name: 'Resolved' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(rejected).toEqual([]);
  });
});
