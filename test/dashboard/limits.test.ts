import { beforeAll, describe, expect, test } from 'vitest';
import { hasChromium } from '../test-utils/chromium.mjs';
import { owner, useDashboard } from './context.ts';

const quota = 30;

describe.skipIf(!hasChromium)('roles and quotas in the dashboard', () => {
  const dashboard = useDashboard({
    SERVICE_PLANS: JSON.stringify([
      { id: 'small', name: 'Small', price: 0, currency: 'EUR', error_quota: quota, ai_quota: 1 },
      { id: 'large', name: 'Large', price: 2900, currency: 'EUR', error_quota: 1_000, ai_quota: 50 },
    ]),
    SERVICE_PLAN: 'small',
    SERVICE_SANDBOX_SECRET: 'a secret of the tests',
  });
  let shop: { id: number; api_key: string };
  beforeAll(async () => {
    shop = await dashboard.createProject('Shop');
    await fail('pay');
    await fail('ship');
  });

  const fail = (name: string) =>
    dashboard.report(shop.api_key, {
      type: 'Error',
      message: `${name} failed`,
      stacktrace: `Error: ${name} failed\n    at ${name} (src/${name}.ts:3:9)`,
    });

  test('shows an explanation, and that nothing was sent for it, until the quota of explanations is used up', async () => {
    const page = await dashboard.open('/groups/1', await dashboard.newBrowser({ expectedErrors: /net::ERR_FAILED/ }));
    await page.getByText('1 of 1 left this month').waitFor();
    const ask = page.getByRole('button', { name: 'Explain this error' });
    // A request that fails leaves the error without an explanation.
    await page.route('**/ai-summary', (route) => route.abort(), { times: 1 });
    await ask.click();
    const problems = page.locator('#explanation .problem');
    await problems.first().waitFor();
    expect(await problems.allTextContents()).toEqual(['The server can’t be reached.']);
    await ask.click();
    await page.locator('.markdown', { hasText: 'What happened' }).waitFor();
    expect(await problems.filter({ hasText: 'can’t be reached' }).count()).toBe(0);
    await page.getByText('limit of AI explanations reached').waitFor();
    await page.getByText('Text sent to the AI provider').click();
    await page.getByText('Nothing was sent. The explanation was generated on this server.').waitFor();
    await page.goto(`${dashboard.url}/groups/2`);
    await page.getByText('0 of 1 left this month').waitFor();
    expect(await page.getByRole('button', { name: 'Explain this error' }).isDisabled()).toBe(true);
  });

  test('warns before it rotates a key, then shows the new key, and the server rejects the old one', async () => {
    const page = await dashboard.open(`/projects/${shop.id}/settings`);
    await page.getByText(shop.api_key).first().waitFor();
    await page.getByRole('button', { name: 'Rotate the key' }).click();
    await page.getByText('The old key stops working immediately.').waitFor();
    await page.getByRole('button', { name: 'Rotate and revoke the old key' }).click();
    await page.getByText('Key rotated.').waitFor();
    expect((await fail('pay')).status).toBe(401);
    const [project] = await dashboard.api<{ id: number; api_key: string }[]>('GET', '/projects');
    shop = project ?? shop;
    await page.getByText(shop.api_key).first().waitFor();
    expect((await fail('pay')).status).toBe(200);
  });

  test.each(['member', 'viewer'])('offers a %s only the permitted actions', async (role) => {
    const email = `${role}@shop.example`;
    await dashboard.api('POST', '/members', { email, role, password: owner.password });
    // After signing in, the requested screen opens.
    const page = await dashboard.open('/groups/1', await dashboard.newBrowser({ as: null }));
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill(owner.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Error' }).waitFor();
    const permitted = role === 'member' ? 1 : 0;
    expect(await page.getByRole('button', { name: /^(Resolve|Reopen)/ }).count()).toBe(permitted);
    expect(await page.getByRole('button', { name: /^Explain/ }).count()).toBe(permitted);
    expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(permitted);
    await page.keyboard.press('u');
    await page.locator('tbody tr').first().waitFor();
    for (const key of ['j', 'x']) await page.keyboard.press(key);
    await page.locator('tbody tr:focus-within').waitFor();
    expect(await page.locator('.chosen').count()).toBe(permitted);
    await page.goto(`${dashboard.url}/team`);
    await page.locator('.people tbody tr').first().waitFor();
    expect(await page.getByRole('button', { name: 'Invite' }).count()).toBe(0);
    await page.goto(`${dashboard.url}/projects/${shop.id}/settings`);
    await page.getByText(shop.api_key).first().waitFor();
    expect(await page.getByRole('button', { name: 'Rotate the key' }).count()).toBe(permitted);
    expect(await page.getByRole('link', { name: 'Allowed origins' }).count()).toBe(0);
    await page.goto(`${dashboard.url}/usage`);
    await page.getByText('Large').waitFor();
    expect(await page.getByRole('button', { name: /^Change to/ }).count()).toBe(0);
  });

  test('shows an exhausted quota and its time on every screen until another plan is paid for', async () => {
    const page = await dashboard.open('/projects');
    while ((await fail('pay')).status === 200);
    await page.getByText(`Quota reached: ${quota} of ${quota} reports this month.`).waitFor();
    await page.getByText(/\d+ reports? rejected since/).waitFor();
    // The setup screen says why no first report arrives.
    await page.goto(`${dashboard.url}/projects/${shop.id}/start`);
    await page.getByText('Quota reached: new reports are rejected.').waitFor();

    await page.getByRole('link', { name: 'Usage and plan' }).first().click();
    await page.getByRole('button', { name: 'Change to Large' }).click();
    await page.getByRole('button', { name: 'Fail this payment' }).click();
    await page.getByText('has failed').waitFor();
    await page.getByRole('link', { name: 'Back' }).click();
    await page.getByText('Limit reached').first().waitFor();
    expect((await fail('pay')).status).toBe(429);

    await page.getByRole('button', { name: 'Change to Large' }).click();
    await page.getByRole('button', { name: 'Pay', exact: true }).click();
    await page.getByText('is paid').waitFor();
    await page.getByRole('link', { name: 'Back' }).click();
    await page.locator('.cards .current', { hasText: 'Large' }).waitFor();
    await page.getByText(`of 1,000`).waitFor();
    await page.getByText(/rejected since/).waitFor({ state: 'detached' });
    expect((await fail('pay')).status).toBe(200);
  });
});
