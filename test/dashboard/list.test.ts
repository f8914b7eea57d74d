import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hasChromium } from '../test-utils/chromium.mjs';
import { useDashboard } from './context.ts';

const count = 120;

describe.skipIf(!hasChromium)('a list of errors with several pages', () => {
  const dashboard = useDashboard();
  let shop: { id: number; api_key: string };
  const groups: number[] = [];
  beforeAll(async () => {
    shop = await dashboard.createProject('Shop');
    for (let index = 0; index < count; index++) groups.push((await reportNumber(index)).error_group_id);
  });
  const reportNumber = (index: number) =>
    dashboard.report(shop.api_key, {
      type: 'Error',
      message: `Number ${index} is wrong`,
      stacktrace: `Error: wrong\n    at check${index} (src/check${index}.ts:${index + 1}:1)`,
    });
  /** Reopens the errors that the previous test has resolved. */
  beforeEach(async () => {
    const path = `/errors?project_id=${shop.id}&status=resolved&size=100`;
    const { items } = await dashboard.api<{ items: { error_group_id: number }[] }>('GET', path);
    for (const { error_group_id: id } of items)
      await dashboard.api('PATCH', `/errors/${id}/status`, { status: 'active' });
  });

  const rows = (page: Page, expected: number) =>
    page.waitForFunction((number) => document.querySelectorAll('tbody tr').length === number, expected);
  const idsOf = (page: Page) =>
    page.locator('tbody tr').evaluateAll((all) => all.map((row) => Number((row as HTMLElement).dataset.group)));
  const focusedRow = (page: Page) =>
    page.evaluate(() => Number(document.activeElement?.closest<HTMLElement>('[data-group]')?.dataset.group ?? 0));
  const isLive = (page: Page) => page.locator('.live', { hasText: /^Live$/ }).waitFor();
  const resolveAll = async (page: Page): Promise<number[]> => {
    const ids = await idsOf(page);
    await page.getByLabel('Select all errors on this page').check();
    await page.getByRole('button', { name: 'Resolve', exact: true }).click();
    return ids;
  };

  test('fills the page after all its errors are resolved, updates the total, and skips no error', async () => {
    const page = await dashboard.open();
    await page.getByText('120 errors').waitFor();
    const seen = await resolveAll(page);
    await page.getByText('Resolved 50 errors.').waitFor();
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
    await page.getByText('Reopened 50 errors.').waitFor();
    await page.getByText('120 errors', { exact: true }).waitFor();
    await page.getByText('Page 2 of 3').waitFor();
  });

  test('keeps the colour of a selected row under the pointer', async () => {
    const page = await dashboard.open();
    await rows(page, 50);
    const colours = () =>
      page
        .locator('tbody tr')
        .evaluateAll((all) => all.slice(0, 3).map((row) => getComputedStyle(row).backgroundColor));
    await page.locator('tbody tr').nth(2).hover();
    const [plain, , hovered] = await colours();
    expect(hovered).not.toBe(plain);
    for (const index of [0, 1]) await page.locator('tbody input').nth(index).check();
    await page.locator('tbody tr').first().hover();
    const [selectedAndHovered, selected] = await colours();
    expect(selected).not.toBe(plain);
    expect(selectedAndHovered).toBe(selected);
  });

  test('moves the focus to the heading when the buttons for the selected errors disappear', async () => {
    const page = await dashboard.open();
    await rows(page, 50);
    for (const name of ['Resolve', 'Reopen', 'Clear']) {
      await page.locator('tbody input').first().check();
      await page.getByRole('button', { name, exact: true }).press('Enter');
      await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
    }
  });

  test('moves the focus to the heading when the order, the page or Undo removes the element that had it', async () => {
    const page = await dashboard.open();
    await rows(page, 50);
    const focused = () => page.evaluate(() => document.activeElement?.tagName);
    await page.getByRole('link', { name: 'Reports' }).press('Enter');
    await expect.poll(focused).toBe('H1');
    await rows(page, 50);
    await page.getByRole('link', { name: 'Next' }).press('Enter');
    await expect.poll(focused).toBe('H1');
    await rows(page, 50);
    await page.getByRole('link', { name: 'Previous' }).focus();
    await page.goBack();
    await expect.poll(focused).toBe('H1');
    await rows(page, 50);
    for (const key of ['j', 'r']) await page.keyboard.press(key);
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await expect.poll(focused).toBe('H1');
    // A link that is still there keeps the focus, and so does the search box.
    await page.getByRole('link', { name: 'Resolved', exact: true }).press('Enter');
    await page.getByText('No errors match').waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Resolved');
    await page.getByLabel('Search errors').pressSequentially(' wrong');
    await page.waitForURL(/wrong/);
    expect(await focused()).toBe('INPUT');
  });

  test('skips no error if the next page opens while errors are being resolved', async () => {
    const page = await dashboard.open();
    await rows(page, 50);
    let release = (): void => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    let requests = 0;
    await page.route('**/api/v1/errors/*/status', async (route) => {
      if (++requests > 3) await released;
      await route.continue();
    });
    const seen = await resolveAll(page);
    await expect.poll(() => requests).toBeGreaterThan(3);
    await page.getByRole('link', { name: 'Next' }).click();
    release();
    // The layout can move a row under the resting pointer, and rows in use do not move.
    await page.locator('h1').hover();
    await page.getByText('Resolved 50 errors.').waitFor();
    await page.getByText('Page 1 of 2').waitFor();
    for (const id of seen) await page.locator(`[data-group="${id}"]`).waitFor({ state: 'detached' });
    await rows(page, 50);
    expect(new URL(page.url()).search).toBe('');
  });

  test('keeps the rows for keyboard users until they turn the page, and then first shows those that have moved up', async () => {
    const page = await dashboard.open();
    await rows(page, 50);
    const before = await idsOf(page);
    for (const key of ['j', 'x', 'j', 'x', 'r']) await page.keyboard.press(key);
    await page.getByText('Resolved 2 errors.').waitFor();
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

  test('updates the total when other users resolve, reopen and delete errors on other pages', async () => {
    const page = await dashboard.open();
    await page.getByText('120 errors').waitFor();
    await isLive(page);
    const shown = await idsOf(page);
    const other = groups.find((id) => !shown.includes(id)) ?? 0;
    await dashboard.api('PATCH', `/errors/${other}/status`, { status: 'resolved' });
    await page.getByText('119 errors').waitFor();
    await dashboard.api('PATCH', `/errors/${shown[3]}/status`, { status: 'resolved' });
    await page.getByText('118 errors').waitFor();
    await dashboard.api('PATCH', `/errors/${other}/status`, { status: 'active' });
    await page.getByText('119 errors').waitFor();
    const { error_group_id: extra } = await dashboard.report(shop.api_key, { message: 'To be deleted' });
    await page.getByText('120 errors').waitFor();
    await dashboard.api('DELETE', `/errors/${extra}`);
    await page.getByText('119 errors').waitFor();
    // Changes by other users move no row.
    expect((await idsOf(page)).slice(-49)).toEqual(shown.slice(0, 49));
  });

  test('counts updated errors up to 99, and only new ones in the title', async () => {
    const page = await dashboard.open('/?page=3');
    await rows(page, 20);
    await isLive(page);
    const shown = await idsOf(page);
    for (const [index, id] of groups.entries()) if (!shown.includes(id)) await reportNumber(index);
    await page.getByRole('button', { name: '99+ updated', exact: true }).waitFor();
    await expect.poll(() => page.title()).toBe('page 3 · Errors · Service');
    const { error_group_id: extra } = await dashboard.report(shop.api_key, { message: 'To be deleted' });
    await page.getByRole('button', { name: '1 new, 99+ updated' }).waitFor();
    await expect.poll(() => page.title()).toBe('(1) page 3 · Errors · Service');
    await page.keyboard.press('.');
    await page.locator('.pill').waitFor({ state: 'detached' });
    await expect.poll(() => page.title()).toBe('page 3 · Errors · Service');
    await dashboard.api('DELETE', `/errors/${extra}`);
  });

  test('keeps the line above the rows in view, and no focused row under it', async () => {
    const page = await dashboard.open();
    await rows(page, 50);
    await isLive(page);
    for (let step = 0; step < 40; step++) await page.keyboard.press('j');
    const { error_group_id: extra } = await dashboard.report(shop.api_key, { message: 'To be deleted' });
    const pill = page.getByRole('button', { name: '1 new', exact: true });
    await pill.waitFor();
    expect((await pill.boundingBox())?.y).toBeGreaterThanOrEqual(0);
    for (let step = 0; step < 25; step++) await page.keyboard.press('k');
    const [bottom, top] = await page.evaluate(() => [
      document.querySelector('.strip')!.getBoundingClientRect().bottom,
      document.activeElement!.getBoundingClientRect().top,
    ]);
    expect(top).toBeGreaterThanOrEqual(bottom!);
    expect(await page.evaluate(() => scrollY)).toBeGreaterThan(200);
    await dashboard.api('DELETE', `/errors/${extra}`);
  });

  test('opens the last page for an address past it', async () => {
    const page = await dashboard.open('/?page=99');
    await rows(page, 20);
    await page.getByText('Page 3 of 3').waitFor();
    expect(new URL(page.url()).search).toBe('?page=3');
    await page.goto(`${dashboard.url}/?page=1e300`);
    await page.getByText('Page 3 of 3').waitFor();
    await page.goto(`${dashboard.url}/groups/${groups[0]}?reports=99`);
    await page.locator('.reports a').waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  test('opens the previous page when the last page is empty', async () => {
    const page = await dashboard.open('/?page=3');
    await rows(page, 20);
    const resolved = await resolveAll(page);
    await page.getByText('Page 2 of 2').waitFor();
    await rows(page, 50);
    expect((await idsOf(page)).filter((id) => resolved.includes(id))).toEqual([]);
  });

  test('stays on the last page while one of its rows has the pointer or the focus', async () => {
    for (const id of groups.slice(0, 20)) await dashboard.api('PATCH', `/errors/${id}/status`, { status: 'resolved' });
    const { error_group_id: last } = await dashboard.report(shop.api_key, { message: 'One more' });
    const page = await dashboard.open('/?page=3');
    await rows(page, 1);
    await page.keyboard.press('j');
    await page.keyboard.press('r');
    await page.getByText('100 errors').waitFor();
    await page.locator('.badge.resolved').waitFor();
    expect(new URL(page.url()).search).toBe('?page=3');
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.getByText('Page 2 of 2').waitFor();
    await dashboard.api('DELETE', `/errors/${last}`);
  });

  test.each(['by u', 'by Back'])('restores scroll position and focus for a user who comes back %s', async (way) => {
    const page = await dashboard.open();
    await rows(page, 50);
    for (let step = 0; step < 40; step++) await page.keyboard.press('j');
    const id = await focusedRow(page);
    const top = await page.evaluate(() => scrollY);
    expect(top).toBeGreaterThan(500);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Error', exact: true }).waitFor();
    await page.waitForFunction(() => scrollY === 0);
    if (way === 'by u') await page.keyboard.press('u');
    else await page.goBack();
    await rows(page, 50);
    await page.waitForFunction((group) => document.activeElement?.closest(`[data-group="${group}"]`), id);
    await page.waitForFunction((expected) => Math.abs(scrollY - expected) < 2, top);
    await page.keyboard.press('r');
    await page.locator(`[data-group="${id}"] .badge.resolved`).waitFor();
  });

  test('shows an error as resolved after it was resolved on its own screen', async () => {
    const page = await dashboard.open();
    await rows(page, 50);
    await page.keyboard.press('j');
    const id = await focusedRow(page);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Error', exact: true }).waitFor();
    await page.keyboard.press('r');
    await page.getByText('Resolved 1 error.').waitFor();
    await page.keyboard.press('u');
    await page.locator(`[data-group="${id}"] .badge.resolved`).waitFor();
    await page.getByText('119 errors').waitFor();
    expect(await focusedRow(page)).toBe(id);
  });

  test('ignores a shortcut for errors while no row has the focus', async () => {
    const page = await dashboard.open();
    await rows(page, 50);
    await page.keyboard.press('j');
    const id = await focusedRow(page);
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.keyboard.press('x');
    await page.keyboard.press('r');
    await page.keyboard.press('j');
    // A request that the shortcuts had made would be sent before this.
    await page.keyboard.press('j');
    await page.getByText('120 errors').waitFor();
    expect(await page.locator('tr.chosen, tr[aria-busy=true], .badge.resolved').count()).toBe(0);
    expect((await dashboard.api<{ status: string }>('GET', `/errors/${id}`)).status).toBe('active');
  });

  test('adds one history entry for a whole search text, so that Back restores the previous list', async () => {
    const page = await dashboard.open('/?q=is%3Aall');
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

describe.skipIf(!hasChromium)('the list of errors of several projects', () => {
  const dashboard = useDashboard();
  beforeAll(async () => {
    for (const [name, environment, release] of [
      ['Shop', 'production', '1.0.0'],
      ['Blog', 'staging', 'blog-7'],
      ['A back office with quite a long name', 'preview', '2026.11.20-nightly-build'],
      ['Docs', 'production', '1.0.0'],
    ] as const) {
      const { api_key } = await dashboard.createProject(name);
      await dashboard.report(api_key, { message: `${name} broke`, environment, release });
    }
  });

  const options = (page: Page, label: string) => page.getByLabel(label, { exact: true }).locator('option');

  test('offers the environments and releases of all projects, or of the chosen one', async () => {
    const page = await dashboard.open();
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

  test('offers a new environment and a new release while the list is open', async () => {
    const page = await dashboard.open();
    await options(page, 'Release').nth(3).waitFor({ state: 'attached' });
    await page.locator('.live', { hasText: /^Live$/ }).waitFor();
    let loads = 0;
    page.on('request', (request) => (loads += Number(request.url().endsWith('/facets'))));
    const startedAt = performance.now();
    const [{ api_key }] = await dashboard.api<[{ api_key: string }]>('GET', '/projects');
    for (const part of ['a', 'b', 'c'])
      await dashboard.report(api_key, {
        message: 'Shop broke',
        environment: `canary-${part}`,
        release: `shop-${part}`,
      });
    await options(page, 'Environment').filter({ hasText: 'canary-c' }).waitFor({ state: 'attached' });
    await options(page, 'Release').filter({ hasText: 'shop-c' }).waitFor({ state: 'attached' });
    // The page loads them at most once in five seconds, however long this machine takes.
    const elapsedSeconds = (performance.now() - startedAt) / 1_000;
    expect(loads).toBeLessThanOrEqual(1 + Math.floor(elapsedSeconds / 5));
  });

  test('shows all its filters in one row in a desktop window', async () => {
    const page = await dashboard.open('/', await dashboard.newBrowser({ viewport: { width: 1280, height: 800 } }));
    await page.getByLabel('Release', { exact: true }).waitFor();
    const tops = await page
      .locator('.tools > *')
      .evaluateAll((all) => all.map((element) => Math.round(element.getBoundingClientRect().bottom)));
    expect(tops).toHaveLength(5);
    expect(new Set(tops).size).toBe(1);
  });

  test('sets the title of the tab', async () => {
    const page = await dashboard.open('/');
    await expect.poll(() => page.title()).toBe('Errors · Service');
    await page.goto(`${dashboard.url}/?q=is%3Aresolved+figs&project=2&page=1`);
    await expect.poll(() => page.title()).toBe('is:resolved figs · Blog · Errors · Service');
    await page.goto(`${dashboard.url}/projects/2/source-maps`);
    await expect.poll(() => page.title()).toBe('Source maps · Blog · Service');
    await page.goto(`${dashboard.url}/projects/2/settings`);
    await expect.poll(() => page.title()).toBe('Settings · Blog · Service');
    await page.goto(`${dashboard.url}/team`);
    await expect.poll(() => page.title()).toBe('Team · Service');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await expect.poll(() => page.title()).toBe('Sign in · Service');
  });

  test('shows all columns on a phone', async () => {
    const page = await dashboard.open('/', await dashboard.newBrowser({ viewport: { width: 390, height: 780 } }));
    const row = page.locator('tbody tr').first();
    await row.waitFor();
    for (const cell of ['.trend svg', '.reports', '.users', '.when:not(.age)', '.age'])
      expect(await row.locator(cell).isVisible(), cell).toBe(true);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    const { reports, age } = await row.evaluate((element) => {
      const centerOf = (selector: string): number => {
        const { top = 0, bottom = 0 } = element.querySelector(selector)?.getBoundingClientRect() ?? {};
        return Math.round((top + bottom) / 2);
      };
      element.querySelector('.reports')?.replaceChildren('412');
      element.querySelector('.users')?.replaceChildren('240');
      element.querySelector('.when')?.replaceChildren('18 min');
      element.querySelector('.age')?.replaceChildren('29 d');
      return { reports: centerOf('.reports'), age: centerOf('.age') };
    });
    expect(age, 'in one line with the reports').toBe(reports);
  });

  test('starts with a link that skips the navigation', async () => {
    const page = await dashboard.open();
    await page.locator('tbody tr').first().waitFor();
    await page.keyboard.press('Tab');
    const link = page.getByRole('link', { name: 'Skip to content' });
    expect(await link.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await link.evaluate((element) => element.getBoundingClientRect().top)).toBeGreaterThanOrEqual(0);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('.page, .side')?.className)).toBe('page');
  });

  test.each(['/', '/groups/1'])('prints %s without controls', async (path) => {
    const page = await dashboard.open(path, await dashboard.newBrowser({ colorScheme: 'dark' }));
    await page.getByText('broke').first().waitFor();
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    const shown = page.locator('.side, .tools, .pages, .notices, .check, button');
    expect(await shown.filter({ visible: true }).count()).toBe(0);
    expect(await page.getByText('broke').first().isVisible()).toBe(true);
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(255, 255, 255)');
  });

  test('marks the live status while it reconnects, and retries failed requests once it is live', async () => {
    const context = await dashboard.newBrowser({ expectedErrors: /^Failed to load resource: net::ERR_/ });
    const page = await dashboard.open('/groups/1', context);
    const note = (state: string) => page.locator('.live', { hasText: new RegExp(`^${state}$`) });
    const dot = () => page.locator('.live i').evaluate((element) => getComputedStyle(element).backgroundColor);
    await note('Live').waitFor();
    const green = await dot();
    await dashboard.restart(async () => {
      await note('Reconnecting').waitFor();
      expect(await dot()).not.toBe(green);
      await page.getByRole('link', { name: 'Errors', exact: true }).first().click();
      await page.locator('.failed').waitFor();
    });
    await note('Live').waitFor();
    expect(await dot()).toBe(green);
    await page.locator('tbody tr').nth(3).waitFor();
    await page.locator('.failed').waitFor({ state: 'detached' });
    await options(page, 'Environment').nth(3).waitFor({ state: 'attached' });
    await options(page, 'Release').nth(3).waitFor({ state: 'attached' });
  });
});
