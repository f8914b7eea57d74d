import type { Page, Request } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { hasChromium } from '../test-utils/chromium.mjs';
import { useScene } from './context.ts';

describe.skipIf(!hasChromium)('live', { timeout: 40_000 }, () => {
  const scene = useScene();
  let shop: { id: number; api_key: string };
  beforeAll(async () => {
    shop = await scene.project('Shop');
    await fail('pay', { environment: 'production' });
    await fail('ship', { environment: 'staging' });
  });

  const fail = (name: string, fields: object = {}) =>
    scene.report(shop.api_key, {
      type: 'Error',
      message: `${name} failed`,
      stacktrace: `Error: ${name} failed\n    at ${name} (src/${name}.ts:3:9)`,
      ...fields,
    });
  const isLive = (page: Page) => page.locator('.live', { hasText: 'live' }).waitFor();
  const row = (page: Page, name: string) => page.locator('tbody tr', { hasText: `${name} failed` });

  test('a resolved error that arrives again is reopened on screen, in every tab', async () => {
    const context = await scene.context();
    const one = await scene.open('/', context);
    const other = await scene.open('/', context);
    await isLive(one);
    await isLive(other);

    await row(one, 'pay').locator('a').focus();
    await one.keyboard.press('r');
    await one.getByText('The error is resolved.').waitFor();
    await row(one, 'pay').locator('.badge.resolved').waitFor();
    await row(other, 'pay').locator('.badge.resolved').waitFor();

    await fail('pay');
    await row(one, 'pay').locator('.badge.reopened').waitFor();
    await row(other, 'pay').locator('.badge.reopened').waitFor();
    expect(await row(other, 'pay').locator('.reports').textContent()).toBe('2');

    // All tabs of a browser share one stream, and the next one takes it over without a gap.
    await one.close();
    await fail('pay');
    await row(other, 'pay').locator('.reports', { hasText: '3' }).waitFor();
  });

  // What the server has the browser ask for ahead, and the page then asks for otherwise, would be there twice.
  test('opening a page asks for everything ahead of its script, and for nothing twice', async () => {
    for (const path of ['/', '/groups/1']) {
      const page = await (await scene.context()).newPage();
      const asked: string[] = [];
      page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      await page.goto(scene.url + path);
      await isLive(page);
      await page
        .locator(path === '/' ? 'tbody tr' : '.group-head')
        .first()
        .waitFor();
      const api = asked.filter((name) => name.startsWith('/api/'));
      expect(api).toEqual([...new Set(api)]);
      expect(api[0]).toBe('/api/v1/auth/me');
      expect(asked.indexOf(path === '/' ? '/api/v1/errors' : '/api/v1/errors/1')).toBeLessThan(4);
    }
  });

  test('a tab that is opened while something happens misses nothing of it', async () => {
    const context = await scene.context();
    const one = await scene.open('/', context);
    await isLive(one);
    const other = await context.newPage();
    let letGo = (): void => {};
    const held = new Promise<void>((resolve) => (letGo = resolve));
    await other.route('**/assets/*.js', async (route) => {
      await held;
      await route.continue();
    });
    const list = other.waitForResponse(/\/api\/v1\/errors\?/);
    await other.goto(scene.url, { waitUntil: 'commit' });
    await (await list).finished();
    // Told to the first tab only: the other one has its list already, and does not listen yet.
    await fail('print');
    await row(one, 'print').waitFor();
    letGo();
    await row(other, 'print').waitFor();
    expect(await row(one, 'print').count()).toBe(1);
  });

  test('nothing moves under the pointer: what is new waits for a click', async () => {
    const page = await scene.open();
    await isLive(page);
    const before = await page.locator('tbody tr').count();
    await row(page, 'pay').hover();
    const place = await row(page, 'pay').boundingBox();
    await fail('pack');
    await page.getByRole('button', { name: '1 new' }).waitFor();
    expect(await page.locator('tbody tr').count()).toBe(before);
    expect(await row(page, 'pay').boundingBox()).toEqual(place);
    await page.getByRole('button', { name: '1 new' }).click();
    await row(page, 'pack').waitFor();
    expect(await page.locator('tbody tr').first().textContent()).toContain('pack failed');
  });

  test('after a restart of the server it reconnects by itself within 3 s, and nothing is missing', async () => {
    const page = await scene.open('/', await scene.context({ wanted: /^Failed to load resource: net::ERR_/ }));
    await isLive(page);
    await scene.restart(async () => {
      await page.locator('.live', { hasText: 'reconnecting' }).waitFor();
      await page.getByText('What you see is from').waitFor();
    });
    const since = performance.now();
    await fail('label');
    await row(page, 'label').waitFor();
    await isLive(page);
    expect(performance.now() - since).toBeLessThan(3_000);
  });

  test('without a network it says so and since when, and nothing is missing once that is back', async () => {
    const context = await scene.context({ wanted: /^Failed to load resource: net::ERR_INTERNET_DISCONNECTED/ });
    const page = await scene.open('/', context);
    await isLive(page);
    await context.setOffline(true);
    await page.locator('.live', { hasText: 'offline' }).waitFor();
    await page.getByText(/^You are offline. What you see is from \d/).waitFor();
    await fail('weigh');
    await context.setOffline(false);
    await row(page, 'weigh').waitFor();
    await isLive(page);
    expect(await page.getByText('You are offline.').count()).toBe(0);
  });

  test('behind a proxy that can carry no stream it says so, and reads anew every now and then', async () => {
    const context = await scene.context({ extraHTTPHeaders: { via: '1.0 old-proxy' }, wanted: /status of 505/ });
    const page = await context.newPage();
    await page.clock.install();
    await page.goto(scene.url);
    await page.locator('.live', { hasText: 'stopped: is a proxy speaking HTTP/1.0?' }).waitFor();
    await page.getByText('The page is not live.').waitFor();
    await row(page, 'pay').waitFor();
    await fail('unpack');
    await page.clock.fastForward('00:10');
    await row(page, 'unpack').waitFor();
    expect(await page.getByText('The page is not live.').count()).toBe(1);
  });

  test('a map that arrives makes the frames readable, without a click', async () => {
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
    const page = await scene.open(`/groups/${error_group_id}`);
    await page.getByText('The project has no source map yet.').first().waitFor();
    await isLive(page);
    await scene.uploadMap(shop.id, 'app-1.js', map, '1.0.0');
    await page.locator('.failing', { hasText: 'lines[0].price' }).first().waitFor();
    await page.getByText('src/total.ts:2:3').first().waitFor();
    expect(await page.getByText('The project has no source map yet.').count()).toBe(0);
  });

  test('signing out ends the stream, here and in the other tab', async () => {
    const context = await scene.context({ wanted: /status of 401/ });
    const one = await scene.open('/', context);
    const other = await scene.open('/', context);
    await isLive(one);
    await isLive(other);
    const cookies = await context.cookies();
    await one.getByRole('button', { name: 'Sign out' }).click();
    await one.getByRole('heading', { name: 'Sign in' }).waitFor();
    await other.getByRole('heading', { name: 'Sign in' }).waitFor();
    await context.addCookies(cookies);
    expect((await context.request.get(`${scene.url}/api/v1/stream`)).status()).toBe(401);
  });

  test('whoever signs out while the page loads is refused nothing, and goes on if that fails', async () => {
    const page = await (await scene.context({ wanted: /net::ERR_FAILED/ })).newPage();
    let letGo = (): void => {};
    let held: Promise<void>;
    const hold = (): void => void (held = new Promise((resolve) => (letGo = resolve)));
    await page.route(/\/api\/v1\/(errors\?|stream)/, async (route) => {
      await held;
      await route.continue();
    });
    const refused: string[] = [];
    page.on('response', (answer) => void (answer.status() === 401 && refused.push(answer.url())));

    hold();
    await page.route('**/auth/session', (route) => route.abort(), { times: 1 });
    await page.goto(scene.url);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('The server can’t be reached.').waitFor();
    letGo();
    await row(page, 'pay').waitFor();
    await isLive(page);

    hold();
    await page.route('**/auth/session', async (route) => {
      const answer = await route.fetch();
      // What had been asked before comes to the server now, and is over before the page knows that it is signed out.
      letGo();
      await over;
      await route.fulfill({ response: answer });
    });
    const over = new Promise<void>((resolve) => {
      const settle = (request: Request): void => void (request.url().includes('status=resolved') && resolve());
      page.on('requestfinished', settle);
      page.on('requestfailed', settle);
    });
    await page.getByRole('link', { name: 'Resolved' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(refused).toEqual([]);
  });
});
