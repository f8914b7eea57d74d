import { describe, expect, test } from 'vitest';
import { hasChromium } from '../test-utils/chromium.mjs';
import { serveOnLoopback } from '../test-utils/serve-on-loopback.ts';
import { assertScreen } from './assert-screen.ts';
import { useDashboard } from './context.ts';

describe.skipIf(!hasChromium)('the dashboard on a first start', () => {
  const dashboard = useDashboard();

  test('leads from the first project to the first error without a reload', async () => {
    const page = await dashboard.open();
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
    await assertScreen(page);
    await page.getByLabel('Project name').fill('Shop');
    await page.getByRole('button', { name: 'Create project' }).click();
    await page.getByText('Waiting for the first report').waitFor();
    const [project] = await dashboard.api<{ api_key: string }[]>('GET', '/projects');
    await page
      .getByText(project?.api_key ?? 'no key')
      .first()
      .waitFor();

    await page.getByText('The console shows a CORS error').click();
    await page.getByText(/Only allowed origins can send reports/).waitFor();
    await page.getByText('The console shows status 429').click();
    await page.getByText('The monthly quota is used up').waitFor();
    await assertScreen(page);

    await page.getByRole('button', { name: 'Send a test error' }).click();
    await page.getByText('It works:').waitFor();
    await page.getByRole('link', { name: 'TestError' }).click();
    await page.getByRole('heading', { name: 'TestError' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/groups/1');

    await page.goto(dashboard.url);
    await page.locator('tbody tr').first().waitFor();
  });

  test('shows script code that works unchanged in a page without a bundler', async () => {
    const project = await dashboard.createProject('Page');
    const page = await dashboard.open(`/projects/${project.id}/start`);
    // The lockfile of an app gets a URL whose content never changes.
    expect(await page.getByRole('region', { name: 'Code for npm' }).textContent()).toMatch(
      /npm install http:\S+\/packages\/browser-[\w.-]+-[0-9a-f]{12}\.tgz\n/,
    );
    await page.getByRole('button', { name: 'Script', exact: true }).click();
    const lines = await page.getByRole('region', { name: 'Code for Script' }).textContent();
    expect(lines).toContain(`src="${dashboard.url}/packages/browser-`);

    const other = await serveOnLoopback((_request, response) => {
      const html = `<!doctype html>${lines}<script>setTimeout(() => fail())</script>`;
      response.setHeader('content-type', 'text/html').end(html);
    });
    const expectedErrors = /fail is not defined/;
    const visit = await (await dashboard.newBrowser({ as: null, expectedErrors })).newPage();
    await visit.goto(other.url);
    await page.getByText('It works:').waitFor();
    await page.getByRole('link', { name: 'ReferenceError' }).waitFor();
    await other.close();
  });

  test('creates no account without an invitation, and asks the user to get one', async () => {
    const page = await dashboard.open('/register', await dashboard.newBrowser({ as: null }));
    await page.getByText('You need an invitation to create an account').waitFor();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.getByRole('link', { name: 'Create an account' }).count()).toBe(0);
    await page.getByText('No password? Ask an owner of your team').waitFor();
    await page.getByText('service-server reset-password').waitFor();
  });

  test('mentions the buttons of the demo only in the project to which they report', async () => {
    const context = await dashboard.newBrowser();
    await context.route(`${dashboard.url}/projects/**`, async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace('name="service" content="', '$&demo ');
      await route.fulfill({ response, body });
    });
    for (const name of ['Figs', 'Demo']) {
      const { id } = await dashboard.createProject(name);
      const page = await dashboard.open(`/projects/${id}/start`, context);
      await page.getByRole('heading', { name: '2. Send a test error' }).waitFor();
      expect(await page.getByRole('link', { name: 'the demo' }).count()).toBe(name === 'Demo' ? 1 : 0);
    }
  });
});
