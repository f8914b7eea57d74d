import { describe, expect, test } from 'vitest';
import { hasChromium } from '../test-utils/chromium.mjs';
import { useDashboard } from './context.ts';

const script = '**/assets/lazy-script-*.js';

describe.skipIf(!hasChromium)('the second script of the dashboard', () => {
  const dashboard = useDashboard();

  test('is loaded when a screen needs it, and only then', async () => {
    const { api_key } = await dashboard.createProject('Shop');
    const { error_group_id } = await dashboard.report(api_key);
    const page = await (await dashboard.newBrowser()).newPage();
    let requests = 0;
    page.on('request', (request) => (requests += Number(/lazy-script-.*\.js$/.test(request.url()))));
    for (const path of ['/', `/groups/${error_group_id}`]) {
      await page.goto(dashboard.url + path);
      await page.getByText('It broke').first().waitFor();
    }
    await page.locator('.live', { hasText: /^Live$/ }).waitFor();
    expect(requests).toBe(0);
    for (const name of ['Team', 'Projects']) {
      await page.getByRole('link', { name, exact: true }).click();
      await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
    }
    expect(requests).toBe(1);
  });

  test('can be requested again after it failed to load', async () => {
    const page = await (await dashboard.newBrowser({ expectedErrors: /net::ERR_FAILED/ })).newPage();
    // Without a live stream, only the button retries.
    await page.route('**/api/v1/stream*', (route) => route.abort());
    await page.route(script, (route) => route.abort());
    await page.goto(`${dashboard.url}/team`);
    await page.getByText('This screen could not be loaded.').waitFor();
    await page.unroute(script);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.people tbody tr').first().waitFor();
    expect(await page.getByText('This screen could not be loaded.').count()).toBe(0);
  });

  test('is requested again once the server has restarted', async () => {
    const page = await dashboard.open('/', await dashboard.newBrowser({ expectedErrors: /net::ERR_/ }));
    await page.locator('.live', { hasText: /^Live$/ }).waitFor();
    await dashboard.restart(async () => {
      await page.getByRole('link', { name: 'Team', exact: true }).click();
      await page.getByText('This screen could not be loaded.').waitFor();
    });
    await page.locator('.people tbody tr').first().waitFor();
    expect(await page.getByText('This screen could not be loaded.').count()).toBe(0);
  });
});
