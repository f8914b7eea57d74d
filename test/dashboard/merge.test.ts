import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { hasChromium } from '../test-utils/chromium.mjs';
import { useDashboard } from './context.ts';

describe.skipIf(!hasChromium)('merged errors', () => {
  const dashboard = useDashboard();
  let cart = 0;
  let search = 0;
  beforeEach(async () => {
    const { api_key } = await dashboard.createProject(`Shop ${crypto.randomUUID()}`);
    const report = async (message: string): Promise<number> =>
      (await dashboard.report(api_key, { type: 'Error', message })).error_group_id;
    await report('The cart is gone');
    cart = await report('The cart is gone');
    search = await report('No search index');
  });

  const row = (page: Page, id: number) => page.locator(`[data-group="${id}"]`);
  const merge = async (page: Page): Promise<void> => {
    for (const id of [search, cart]) await row(page, id).getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Merge' }).click();
    await page.getByText(`Merged 1 error into #${cart}.`).waitFor();
  };

  test('selected errors are merged into the one with the most reports, and apart again after Undo', async () => {
    const page = await dashboard.open();
    await merge(page);
    await row(page, search).waitFor({ state: 'detached' });
    await row(page, cart).locator('.reports', { hasText: '3' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await row(page, search).waitFor();
    await row(page, cart).locator('.reports', { hasText: '2' }).waitFor();
    expect(await dashboard.api('GET', `/errors/${cart}`)).toMatchObject({ count: 2, merged: 0 });
  });

  test('the address of a merged error leads to its target, which lists and unmerges it', async () => {
    const page = await dashboard.open();
    await merge(page);
    const other = await dashboard.open(`/groups/${search}`, page.context());
    await other.waitForURL(`**/groups/${cart}`);
    await other.getByText('Why these reports are grouped (1 merged)').click();
    await other.getByText(`#${search} Error No search index`).waitFor();
    await other.getByText('All reports but the merged ones have the same fingerprint').waitFor();
    await other.getByRole('button', { name: 'Delete' }).click();
    await other.getByText('Its reports and 1 merged error are deleted.').waitFor();
    await other.getByRole('button', { name: 'Cancel' }).click();
    // Its address leads to this page.
    expect(await other.getByRole('link', { name: `#${search}` }).count()).toBe(0);
    await other.getByText('All reports', { exact: true }).click();
    await expect
      .poll(() => other.locator('#reports li span').allTextContents())
      .toEqual(['No search index', 'The cart is gone', 'The cart is gone']);
    await other.getByRole('button', { name: `Unmerge #${search}` }).click();
    await other.getByText('Unmerged 1 error.').waitFor();
    await other.getByText('Why these reports are grouped', { exact: true }).waitFor();
    await other.getByText('These reports have the same fingerprint').waitFor();
    await row(page, search).waitFor();
    expect(await dashboard.api('GET', `/errors/${search}`)).toMatchObject({ count: 1, merged: 0 });
  });

  test('an error that may be the same is suggested, and merged with one click', async () => {
    const { api_key } = await dashboard.createProject(`Library ${crypto.randomUUID()}`);
    const report = async (name: string): Promise<number> => {
      const stacktrace = `Error: The copy of this book is lost\n    at ${name} (https://library.example/src/desk.js:4:7)`;
      return (await dashboard.report(api_key, { type: 'Error', message: 'The copy of this book is lost', stacktrace }))
        .error_group_id;
    };
    const lend = await report('lendCopy');
    await report('lendCopy');
    const extracted = await report('findCopy');
    const page = await dashboard.open(`/groups/${lend}`);
    await page.getByText(`Why these reports are grouped (looks like #${extracted})`).click();
    await page.getByText('Similar by fault').waitFor();
    await page.getByRole('button', { name: `Merge #${extracted}` }).click();
    await page.getByText('Why these reports are grouped (1 merged)').waitFor();
    expect(await dashboard.api('GET', `/errors/${lend}`)).toMatchObject({ count: 3, merged: 1 });
  });
});
