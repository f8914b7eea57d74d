import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasChromium } from '../e2e/chromium.ts';
import { openScene, owner, watch, type Scene } from './scene.ts';

/** A stopped server, a refusal that a test wants: the browser notes those in its console by itself. */
const unexpected = (problems: readonly string[]): string[] =>
  problems.filter((problem) => !problem.startsWith('Failed to load resource'));

describe.skipIf(!hasChromium)('live', { timeout: 40_000 }, () => {
  let scene: Scene;
  let shop: { id: number; api_key: string };
  beforeAll(async () => {
    scene = await openScene({
      SERVICE_PLANS: JSON.stringify([
        { id: 'small', name: 'Small', price: 0, currency: 'EUR', error_quota: 60, ai_quota: 1 },
      ]),
      SERVICE_PLAN: 'small',
    });
    shop = await scene.project('Shop');
  });
  afterAll(() => scene?.close());

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
    await fail('pay', { environment: 'production' });
    await fail('ship', { environment: 'staging' });
    const context = await scene.context();
    const one = await scene.open('/', context);
    const other = await scene.open('/', context);
    await isLive(one.page);
    await isLive(other.page);

    await row(one.page, 'pay').locator('a').focus();
    await one.page.keyboard.press('r');
    await one.page.getByText('The error is resolved.').waitFor();
    await row(one.page, 'pay').locator('.badge.resolved').waitFor();
    await row(other.page, 'pay').locator('.badge.resolved').waitFor();

    await fail('pay');
    await row(one.page, 'pay').locator('.badge.reopened').waitFor();
    await row(other.page, 'pay').locator('.badge.reopened').waitFor();
    expect(await row(other.page, 'pay').locator('.reports').textContent()).toBe('2');
    expect(unexpected([...one.problems, ...other.problems])).toEqual([]);

    // All tabs of a browser share one stream, and the next one takes it over without a gap.
    await one.page.close();
    await fail('pay');
    await row(other.page, 'pay').locator('.reports', { hasText: '3' }).waitFor();
    await context.close();
  });

  test('nothing moves under the pointer: what is new waits for a click', async () => {
    const { page } = await scene.open();
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
    await page.close();
  });

  test('after a restart of the server it reconnects by itself within 3 s, and nothing is missing', async () => {
    const { page, problems } = await scene.open();
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
    expect(unexpected(problems)).toEqual([]);
    await page.close();
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
    const { page, problems } = await scene.open(`/groups/${error_group_id}`);
    await page.getByText('The project has no source map yet.').first().waitFor();
    await isLive(page);
    await scene.uploadMap(shop.id, 'app-1.js', map, '1.0.0');
    await page.locator('.failing', { hasText: 'lines[0].price' }).first().waitFor();
    await page.getByText('src/total.ts:2:3').first().waitFor();
    expect(problems).toEqual([]);
    await page.close();
  });

  test('an explanation appears, tells what was sent, and is refused when its quota is used up', async () => {
    const { page, problems } = await scene.open('/groups/1');
    await page.getByText('1 of 1 left this month').waitFor();
    await page.getByRole('button', { name: 'Explain this error' }).click();
    await page.locator('.markdown', { hasText: 'What happened' }).waitFor();
    await page.getByText('are used up').waitFor();
    await page.getByText('What was sent').click();
    await page.getByText('Nothing: it was written on this server').waitFor();
    await page.goto(`${scene.url}/groups/2`);
    await page.getByText('0 of 1 left this month').waitFor();
    expect(await page.getByRole('button', { name: 'Explain this error' }).isDisabled()).toBe(true);
    expect(problems).toEqual([]);
    await page.close();
  });

  test('rotating the key warns first; then the old key is refused, and the new one is shown', async () => {
    const { page, problems } = await scene.open(`/projects/${shop.id}/settings`);
    await page.getByText(shop.api_key).first().waitFor();
    await page.getByRole('button', { name: 'Rotate the key' }).click();
    await page.getByText('The old key stops now.').waitFor();
    await page.getByRole('button', { name: 'Rotate, and stop the old key' }).click();
    await page.getByText('The key is new.').waitFor();
    expect((await fail('pay')).status).toBe(401);
    const [project] = await scene.api<{ id: number; api_key: string }[]>('GET', '/projects');
    shop = project ?? shop;
    await page.getByText(shop.api_key).first().waitFor();
    expect((await fail('pay')).status).toBe(200);
    expect(problems).toEqual([]);
    await page.close();
  });

  test('members and viewers are offered what they may do, and nothing else', async () => {
    for (const role of ['member', 'viewer'])
      await scene.api('POST', '/members', { email: `${role}@shop.example`, role, password: owner.password });
    for (const role of ['member', 'viewer']) {
      const context = await scene.browser.newContext();
      context.setDefaultTimeout(10_000);
      const { page, problems } = await watch(await context.newPage());
      // A deep link leads on after signing in.
      await page.goto(`${scene.url}/groups/1`);
      await page.getByLabel('E-mail').fill(`${role}@shop.example`);
      await page.getByLabel('Password').fill(owner.password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: 'Error' }).waitFor();
      const may = role === 'member' ? 1 : 0;
      expect(await page.getByRole('button', { name: /^(Resolve|Reopen)/ }).count()).toBe(may);
      expect(await page.getByRole('button', { name: /^Explain/ }).count()).toBe(may);
      await page.goto(`${scene.url}/team`);
      await page.locator('.people tbody tr').first().waitFor();
      expect(await page.getByRole('button', { name: 'Invite' }).count()).toBe(0);
      await page.goto(`${scene.url}/projects/${shop.id}/settings`);
      await page.getByText(shop.api_key).first().waitFor();
      expect(await page.getByRole('button', { name: 'Rotate the key' }).count()).toBe(may);
      expect(await page.getByRole('link', { name: 'Allowed origins' }).count()).toBe(0);
      expect(problems).toEqual([]);
      await context.close();
    }
  });

  test('signing out ends the stream, here and in the other tab', async () => {
    const context = await scene.context();
    const one = await scene.open('/', context);
    const other = await scene.open('/', context);
    await isLive(one.page);
    await isLive(other.page);
    const cookies = await context.cookies();
    await one.page.getByRole('button', { name: 'Sign out' }).click();
    await one.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await other.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await context.addCookies(cookies);
    expect((await context.request.get(`${scene.url}/api/v1/stream`)).status()).toBe(401);
    await context.close();
  });

  test('an exhausted quota is said on every screen, and since when', async () => {
    const { page } = await scene.open('/projects');
    for (let report = 0; report < 60; report++) await fail('pay');
    await page.getByText('60 of 60 reports are used this month').waitFor();
    await page.getByText(/reports are refused: \d+ so far/).waitFor();
    expect((await fail('pay')).status).toBe(429);
    await page.close();
  });
});
