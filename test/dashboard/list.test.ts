import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hasChromium } from '../test-utils/chromium.mjs';
import { useScene } from './context.ts';

const count = 120;

describe.skipIf(!hasChromium)('a list of several pages', { timeout: 40_000 }, () => {
  const scene = useScene();
  let shop: { id: number; api_key: string };
  const groups: number[] = [];
  beforeAll(async () => {
    shop = await scene.project('Shop');
    for (let index = 0; index < count; index++) {
      const { error_group_id } = await scene.report(shop.api_key, {
        type: 'Error',
        message: `Number ${index} is wrong`,
        stacktrace: `Error: wrong\n    at check${index} (src/check${index}.ts:${index + 1}:1)`,
      });
      groups.push(error_group_id);
    }
  });
  beforeEach(async () => {
    for (const id of groups) await scene.api('PATCH', `/errors/${id}/status`, { status: 'active' });
  });

  const rows = (page: Page, wanted: number) =>
    page.waitForFunction((wants) => document.querySelectorAll('tbody tr').length === wants, wanted);
  const idsOf = (page: Page) =>
    page.locator('tbody tr').evaluateAll((all) => all.map((row) => Number((row as HTMLElement).dataset.group)));
  const focusedRow = (page: Page) =>
    page.evaluate(() => Number(document.activeElement?.closest<HTMLElement>('[data-group]')?.dataset.group ?? 0));
  const isLive = (page: Page) => page.locator('.live', { hasText: 'live' }).waitFor();
  const resolveAll = async (page: Page): Promise<number[]> => {
    const ids = await idsOf(page);
    await page.getByLabel('Select all errors of this page').check();
    await page.getByRole('button', { name: 'Resolve', exact: true }).click();
    return ids;
  };

  test('closes up after all errors of a page are resolved, counts what is left, and skips none', async () => {
    const page = await scene.open();
    await page.getByText('120 errors').waitFor();
    const seen = await resolveAll(page);
    await page.getByText('50 errors are resolved.').waitFor();
    await page.getByText('70 errors', { exact: true }).waitFor();
    await page.getByText('Page 1 of 2').waitFor();
    await page.locator(`[data-group="${seen[0]}"]`).waitFor({ state: 'detached' });
    await rows(page, 50);
    seen.push(...(await idsOf(page)));
    await page.getByRole('link', { name: 'Next' }).click();
    await rows(page, 20);
    seen.push(...(await idsOf(page)));
    expect(new Set(seen).size).toBe(count);

    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('50 errors are reopened.').waitFor();
    await page.getByText('120 errors', { exact: true }).waitFor();
    await page.getByText('Page 2 of 3').waitFor();
  });

  test('the focus moves to the heading when the buttons for the selected errors disappear', async () => {
    const page = await scene.open();
    await rows(page, 50);
    for (const name of ['Resolve', 'Reopen', 'Clear']) {
      await page.locator('tbody input').first().check();
      await page.getByRole('button', { name, exact: true }).press('Enter');
      await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
    }
  });

  test('who goes on while errors are still being resolved skips none', async () => {
    const page = await scene.open();
    await rows(page, 50);
    const seen = await resolveAll(page);
    await page.getByRole('link', { name: 'Next' }).click();
    // Rows wait for a pointer that has come to rest on one, as the page grows and shrinks below it.
    await page.locator('h1').hover();
    await page.getByText('50 errors are resolved.').waitFor();
    await page.getByText('Page 1 of 2').waitFor();
    for (const id of seen) await page.locator(`[data-group="${id}"]`).waitFor({ state: 'detached' });
    await rows(page, 50);
    expect(new URL(page.url()).search).toBe('');
  });

  test('by keyboard, rows stay until the page is turned, which first shows what has moved up', async () => {
    const page = await scene.open();
    await rows(page, 50);
    const before = await idsOf(page);
    for (const key of ['j', 'x', 'j', 'x', 'r']) await page.keyboard.press(key);
    await page.getByText('2 errors are resolved.').waitFor();
    await page.getByText('118 errors').waitFor();
    expect(await idsOf(page)).toEqual(before);
    await page.keyboard.press('n');
    await page.getByText('have moved up to this one.').waitFor();
    await page.locator(`[data-group="${before[0]}"]`).waitFor({ state: 'detached' });
    await rows(page, 50);
    const after = await idsOf(page);
    expect(after.slice(0, 48)).toEqual(before.slice(2));
    await page.keyboard.press('n');
    await page.getByText('Page 2 of 3').waitFor();
    await page.locator(`[data-group="${after[49]}"]`).waitFor({ state: 'detached' });
    await rows(page, 50);
    expect((await idsOf(page)).filter((id) => after.includes(id))).toEqual([]);
  });

  test('counts what others resolve, reopen and delete on other pages', async () => {
    const page = await scene.open();
    await page.getByText('120 errors').waitFor();
    await isLive(page);
    const shown = await idsOf(page);
    const other = groups.find((id) => !shown.includes(id)) ?? 0;
    await scene.api('PATCH', `/errors/${other}/status`, { status: 'resolved' });
    await page.getByText('119 errors').waitFor();
    await scene.api('PATCH', `/errors/${shown[3]}/status`, { status: 'resolved' });
    await page.getByText('118 errors').waitFor();
    await scene.api('PATCH', `/errors/${other}/status`, { status: 'active' });
    await page.getByText('119 errors').waitFor();
    const { error_group_id: extra } = await scene.report(shop.api_key, { message: 'To be deleted' });
    await page.getByText('120 errors').waitFor();
    await scene.api('DELETE', `/errors/${extra}`);
    await page.getByText('119 errors').waitFor();
    // What others do moves no row.
    expect((await idsOf(page)).slice(-49)).toEqual(shown.slice(0, 49));
  });

  test('an address past the last page leads to the last one', async () => {
    const page = await scene.open('/?page=99');
    await rows(page, 20);
    await page.getByText('Page 3 of 3').waitFor();
    expect(new URL(page.url()).search).toBe('?page=3');
    await page.goto(`${scene.url}/?page=1e300`);
    await page.getByText('Page 3 of 3').waitFor();
    await page.goto(`${scene.url}/groups/${groups[0]}?reports=99`);
    await page.locator('.reports a').waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  test('the last page, once it is empty, makes way for the one before it', async () => {
    const page = await scene.open('/?page=3');
    await rows(page, 20);
    const resolved = await resolveAll(page);
    await page.getByText('Page 2 of 2').waitFor();
    await rows(page, 50);
    expect((await idsOf(page)).filter((id) => resolved.includes(id))).toEqual([]);
  });

  test('the last page stays while one of its rows has the pointer or the focus', async () => {
    for (const id of groups.slice(0, 20)) await scene.api('PATCH', `/errors/${id}/status`, { status: 'resolved' });
    const { error_group_id: last } = await scene.report(shop.api_key, { message: 'One more' });
    const page = await scene.open('/?page=3');
    await rows(page, 1);
    await page.keyboard.press('j');
    await page.keyboard.press('r');
    await page.getByText('100 errors').waitFor();
    await page.locator('.badge.resolved').waitFor();
    expect(new URL(page.url()).search).toBe('?page=3');
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.getByText('Page 2 of 2').waitFor();
    await scene.api('DELETE', `/errors/${last}`);
  });

  test.each(['by u', 'by Back'])('who comes back %s is at the row of the group, where the list was', async (way) => {
    const page = await scene.open();
    await rows(page, 50);
    for (let step = 0; step < 40; step++) await page.keyboard.press('j');
    const id = await focusedRow(page);
    const top = await page.evaluate(() => scrollY);
    expect(top).toBeGreaterThan(500);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Error' }).waitFor();
    await page.waitForFunction(() => scrollY === 0);
    if (way === 'by u') await page.keyboard.press('u');
    else await page.goBack();
    await rows(page, 50);
    await page.waitForFunction((wanted) => document.activeElement?.closest(`[data-group="${wanted}"]`), id);
    await page.waitForFunction((wanted) => Math.abs(scrollY - wanted) < 2, top);
    await page.keyboard.press('r');
    await page.locator(`[data-group="${id}"] .badge.resolved`).waitFor();
  });

  test('a group that is resolved on its own page is so in the list that one comes back to', async () => {
    const page = await scene.open();
    await rows(page, 50);
    await page.keyboard.press('j');
    const id = await focusedRow(page);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Error' }).waitFor();
    await page.keyboard.press('r');
    await page.getByText('The error is resolved.').waitFor();
    await page.keyboard.press('u');
    await page.locator(`[data-group="${id}"] .badge.resolved`).waitFor();
    await page.getByText('119 errors').waitFor();
    expect(await focusedRow(page)).toBe(id);
  });

  test('a key changes no group whose row has not the focus', async () => {
    const page = await scene.open();
    await rows(page, 50);
    await page.keyboard.press('j');
    const id = await focusedRow(page);
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.keyboard.press('x');
    await page.keyboard.press('r');
    await page.keyboard.press('j');
    // What the keys had done would have been asked for before this.
    await page.keyboard.press('j');
    await page.getByText('120 errors').waitFor();
    expect(await page.locator('tr.chosen, tr[aria-busy=true], .badge.resolved').count()).toBe(0);
    expect((await scene.api<{ status: string }>('GET', `/errors/${id}`)).status).toBe('active');
  });

  test('typing makes one entry in the history: Back leads to the list as it was before', async () => {
    const page = await scene.open('/?q=is%3Aall');
    await rows(page, 50);
    const box = page.getByLabel('Search errors');
    await box.focus();
    await page.keyboard.press('End');
    await page.keyboard.type(' number 11');
    await rows(page, 11);
    await page.keyboard.type('7');
    await rows(page, 1);
    await page.goBack();
    await rows(page, 50);
    expect(await box.inputValue()).toBe('is:all');
    await page.goForward();
    await rows(page, 1);
    expect(await box.inputValue()).toBe('is:all number 117');
  });
});

describe.skipIf(!hasChromium)('the list of several projects', { timeout: 40_000 }, () => {
  const scene = useScene();
  beforeAll(async () => {
    for (const [name, environment, release] of [
      ['Shop', 'production', '1.0.0'],
      ['Blog', 'staging', 'blog-7'],
      ['A back office with quite a long name', 'preview', '2026.11.20-nightly-build'],
      ['Docs', 'production', '1.0.0'],
    ] as const) {
      const { api_key } = await scene.project(name);
      await scene.report(api_key, { message: `${name} broke`, environment, release });
    }
  });

  const options = (page: Page, label: string) => page.getByLabel(label, { exact: true }).locator('option');

  test('offers the environments and releases of all of them, or of the chosen one', async () => {
    const page = await scene.open();
    await options(page, 'Environment').nth(3).waitFor({ state: 'attached' });
    expect((await options(page, 'Environment').allTextContents()).toSorted()).toEqual([
      'All environments',
      'preview',
      'production',
      'staging',
    ]);
    expect(await options(page, 'Release').allTextContents()).toContain('blog-7');
    await page.getByLabel('Release', { exact: true }).selectOption('blog-7');
    await page.locator('tbody tr', { hasText: 'Shop broke' }).waitFor({ state: 'detached' });
    await page.locator('tbody tr').waitFor();
    expect(await page.locator('tbody tr').allTextContents()).toEqual([expect.stringContaining('Blog broke')]);
    await page.getByLabel('Project', { exact: true }).selectOption('Shop');
    await page.waitForFunction(() => document.querySelector('[aria-label=Environment]')?.children.length === 2);
    expect(await options(page, 'Environment').allTextContents()).toEqual(['All environments', 'production']);
  });

  test('offers an environment and a release that appear while it is open', async () => {
    const page = await scene.open();
    await options(page, 'Release').nth(3).waitFor({ state: 'attached' });
    await page.locator('.live', { hasText: 'live' }).waitFor();
    let loads = 0;
    page.on('request', (request) => (loads += Number(request.url().endsWith('/facets'))));
    const [{ api_key }] = await scene.api<[{ api_key: string }]>('GET', '/projects');
    for (const part of ['a', 'b', 'c'])
      await scene.report(api_key, { message: 'Shop broke', environment: `canary-${part}`, release: `shop-${part}` });
    await options(page, 'Environment').filter({ hasText: 'canary-c' }).waitFor({ state: 'attached' });
    await options(page, 'Release').filter({ hasText: 'shop-c' }).waitFor({ state: 'attached' });
    expect(loads).toBeLessThanOrEqual(2);
  });

  test('has all its filters in one row where a desk has room for them', async () => {
    const page = await scene.open('/', await scene.context({ viewport: { width: 1280, height: 800 } }));
    await page.getByLabel('Release', { exact: true }).waitFor();
    const tops = await page
      .locator('.tools > *')
      .evaluateAll((all) => all.map((element) => Math.round(element.getBoundingClientRect().bottom)));
    expect(tops).toHaveLength(5);
    expect(new Set(tops).size).toBe(1);
  });

  test('names its tab by what it shows', async () => {
    const page = await scene.open('/');
    await expect.poll(() => page.title()).toBe('Errors');
    await page.goto(`${scene.url}/?q=is%3Aresolved+figs&project=2&page=1`);
    await expect.poll(() => page.title()).toBe('is:resolved figs · Blog · Errors');
    await page.goto(`${scene.url}/projects/2/source-maps`);
    await expect.poll(() => page.title()).toBe('Source maps · Blog');
    await page.goto(`${scene.url}/projects/2/settings`);
    await expect.poll(() => page.title()).toBe('Settings · Blog');
    await page.goto(`${scene.url}/team`);
    await expect.poll(() => page.title()).toBe('Team');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await expect.poll(() => page.title()).toBe('Sign in');
  });

  test('shows all that is known of a group on a phone, too', async () => {
    const page = await scene.open('/', await scene.context({ viewport: { width: 390, height: 780 } }));
    const row = page.locator('tbody tr').first();
    await row.waitFor();
    for (const cell of ['.trend svg', '.reports', '.users', '.when:not(.age)', '.age'])
      expect(await row.locator(cell).isVisible(), cell).toBe(true);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  });

  test('its first link skips the bar, and leads to the content', async () => {
    const page = await scene.open();
    await page.locator('tbody tr').first().waitFor();
    await page.keyboard.press('Tab');
    const link = page.getByRole('link', { name: 'Skip to content' });
    expect(await link.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await link.evaluate((element) => element.getBoundingClientRect().top)).toBeGreaterThanOrEqual(0);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('.page, .side')?.className)).toBe('page');
  });

  test.each(['/', '/groups/1'])('%s is printed without what only a screen can do', async (path) => {
    const page = await scene.open(path, await scene.context({ colorScheme: 'dark' }));
    await page.getByText('broke').first().waitFor();
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    const shown = page.locator('.side, .tools, .pages, .notices, .check, button');
    expect(await shown.filter({ visible: true }).count()).toBe(0);
    expect(await page.getByText('broke').first().isVisible()).toBe(true);
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(255, 255, 255)');
  });

  test('the dot of the live note is not green while it reconnects, and what had failed is loaded once it is live', async () => {
    const context = await scene.context({ wanted: /^Failed to load resource: net::ERR_/ });
    const page = await scene.open('/groups/1', context);
    const note = (state: string) => page.locator('.live', { hasText: state });
    const dot = () => page.locator('.live i').evaluate((element) => getComputedStyle(element).backgroundColor);
    await note('live').waitFor();
    const green = await dot();
    await scene.restart(async () => {
      await note('reconnecting').waitFor();
      expect(await dot()).not.toBe(green);
      await page.getByRole('link', { name: 'Errors', exact: true }).first().click();
      await page.locator('.failed').waitFor();
    });
    await note('live').waitFor();
    expect(await dot()).toBe(green);
    await page.locator('tbody tr').nth(3).waitFor();
    await page.locator('.failed').waitFor({ state: 'detached' });
    await options(page, 'Environment').nth(3).waitFor({ state: 'attached' });
    await options(page, 'Release').nth(3).waitFor({ state: 'attached' });
  });
});
