import { beforeAll, describe, expect, test } from 'vitest';
import { hasChromium } from '../test-utils/chromium.mjs';
import { owner, useScene } from './context.ts';

const quota = 30;

describe.skipIf(!hasChromium)('what somebody may, and how much', { timeout: 40_000 }, () => {
  const scene = useScene({
    SERVICE_PLANS: JSON.stringify([
      { id: 'small', name: 'Small', price: 0, currency: 'EUR', error_quota: quota, ai_quota: 1 },
      { id: 'large', name: 'Large', price: 2900, currency: 'EUR', error_quota: 1_000, ai_quota: 50 },
    ]),
    SERVICE_PLAN: 'small',
    SERVICE_SANDBOX_SECRET: 'a secret of the tests',
  });
  let shop: { id: number; api_key: string };
  beforeAll(async () => {
    shop = await scene.project('Shop');
    await fail('pay');
    await fail('ship');
  });

  const fail = (name: string) =>
    scene.report(shop.api_key, {
      type: 'Error',
      message: `${name} failed`,
      stacktrace: `Error: ${name} failed\n    at ${name} (src/${name}.ts:3:9)`,
    });

  test('an explanation appears, tells what was sent, and is refused when its quota is used up', async () => {
    const page = await scene.open('/groups/1', await scene.context({ wanted: /net::ERR_FAILED/ }));
    await page.getByText('1 of 1 left this month').waitFor();
    const ask = page.getByRole('button', { name: 'Explain this error' });
    // A request that never arrives leaves the error as one that was never explained.
    await page.route('**/ai-summary', (route) => route.abort(), { times: 1 });
    await ask.click();
    const problems = page.locator('#explanation .problem');
    await problems.first().waitFor();
    expect(await problems.allTextContents()).toEqual(['The server can’t be reached.']);
    await ask.click();
    await page.locator('.markdown', { hasText: 'What happened' }).waitFor();
    expect(await problems.filter({ hasText: 'reached' }).count()).toBe(0);
    await page.getByText('are used up').waitFor();
    await page.getByText('What was sent').click();
    await page.getByText('Nothing: it was written on this server').waitFor();
    await page.goto(`${scene.url}/groups/2`);
    await page.getByText('0 of 1 left this month').waitFor();
    expect(await page.getByRole('button', { name: 'Explain this error' }).isDisabled()).toBe(true);
  });

  test('rotating the key warns first; then the old key is refused, and the new one is shown', async () => {
    const page = await scene.open(`/projects/${shop.id}/settings`);
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
  });

  test.each(['member', 'viewer'])('a %s is offered what one may do, and nothing else', async (role) => {
    const email = `${role}@shop.example`;
    await scene.api('POST', '/members', { email, role, password: owner.password });
    // A deep link leads on after signing in.
    const page = await scene.open('/groups/1', await scene.context({ as: null }));
    await page.getByLabel('E-mail').fill(email);
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
    await page.goto(`${scene.url}/usage`);
    await page.getByText('Large').waitFor();
    expect(await page.getByRole('button', { name: /^Change to/ }).count()).toBe(0);
  });

  test('an exhausted quota is said on every screen, and since when, until another plan is paid for', async () => {
    const page = await scene.open('/projects');
    while ((await fail('pay')).status === 200);
    await page.getByText(`${quota} of ${quota} reports are used this month`).waitFor();
    await page.getByText(/reports are refused: \d+ so far/).waitFor();
    // Who waits for a first report is told why none comes.
    await page.goto(`${scene.url}/projects/${shop.id}/start`);
    await page.getByText('Reports come, but the quota is used up: they are refused.').waitFor();

    await page.getByRole('link', { name: 'Usage and plan' }).first().click();
    await page.getByRole('button', { name: 'Change to Large' }).click();
    await page.getByRole('button', { name: 'Let it fail' }).click();
    await page.getByText('has failed').waitFor();
    await page.getByRole('link', { name: 'Back' }).click();
    await page.getByText('Used up').first().waitFor();
    expect((await fail('pay')).status).toBe(429);

    await page.getByRole('button', { name: 'Change to Large' }).click();
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.getByText('is made').waitFor();
    await page.getByRole('link', { name: 'Back' }).click();
    await page.locator('.cards .current', { hasText: 'Large' }).waitFor();
    await page.getByText(`of 1,000`).waitFor();
    await page.getByText('reports are refused').waitFor({ state: 'detached' });
    expect((await fail('pay')).status).toBe(200);
  });
});
