import { describe, expect, test } from 'vitest';
import { hasChromium } from '../test-utils/chromium.mjs';
import { serveOnLoopback } from '../serve-on-loopback.ts';
import { judge, judgeDarkAndNarrow } from './assert-screen.ts';
import { useScene } from './context.ts';

describe.skipIf(!hasChromium)('a first start', { timeout: 30_000 }, () => {
  const scene = useScene();

  test('from nothing to the first error on screen, without a reload', async () => {
    const page = await scene.open();
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
    expect([...(await judge(page)), ...(await judgeDarkAndNarrow(page))]).toEqual([]);
    await page.getByLabel('Name of the app').fill('Shop');
    await page.getByRole('button', { name: 'Create project' }).click();
    await page.getByText('Waiting for the first report').waitFor();
    const [project] = await scene.api<{ api_key: string }[]>('GET', '/projects');
    await page
      .getByText(project?.api_key ?? 'no key')
      .first()
      .waitFor();

    await page.getByText('The console says CORS').click();
    await page.getByText(/only from pages whose origin is on the server’s list/).waitFor();
    await page.getByText('The console says 429').click();
    await page.getByText('The quota of the month is used up').waitFor();
    expect([...(await judge(page)), ...(await judgeDarkAndNarrow(page))]).toEqual([]);

    await page.getByRole('button', { name: 'Send a test error' }).click();
    await page.getByText('It works:').waitFor();
    await page.getByRole('link', { name: 'TestError' }).click();
    await page.getByRole('heading', { name: 'TestError' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/groups/1');

    await page.goto(scene.url);
    await page.locator('tbody tr').first().waitFor();
  });

  test('the lines for a page without a bundler work as they are', async () => {
    const project = await scene.project('Page');
    const page = await scene.open(`/projects/${project.id}/start`);
    await page.getByRole('button', { name: 'Script', exact: true }).click();
    const lines = await page.getByRole('region', { name: 'Code for Script' }).textContent();
    expect(lines).toContain(`src="${scene.url}/packages/browser-`);

    const other = await serveOnLoopback((_request, response) => {
      const html = `<!doctype html>${lines}<script>setTimeout(() => fail())</script>`;
      response.setHeader('content-type', 'text/html').end(html);
    });
    const wanted = /fail is not defined/;
    const visit = await (await scene.context({ as: null, wanted })).newPage();
    await visit.goto(other.url);
    await page.getByText('It works:').waitFor();
    await page.getByRole('link', { name: 'ReferenceError' }).waitFor();
    await other.close();
  });

  test('makes no accounts for strangers, and says who does', async () => {
    const page = await scene.open('/register', await scene.context({ as: null }));
    await page.getByText('Accounts are made by invitation here').waitFor();
    await page.getByRole('link', { name: 'sign in' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.getByRole('link', { name: 'Create an account' }).count()).toBe(0);
  });
});
