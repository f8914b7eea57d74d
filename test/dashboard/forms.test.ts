import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasChromium } from '../test-utils/chromium.mjs';
import { judge, judgeDarkAndNarrow } from './assert-screen.ts';
import { owner, useScene } from './context.ts';

const map = {
  version: 3,
  file: 'app-1.js',
  sources: ['src/total.ts'],
  sourcesContent: ['export function total(lines) {\n  return lines[0].price;\n}\n'],
  names: [],
  mappings: 'AACE',
};

describe.skipIf(!hasChromium)('what is filled in', { timeout: 40_000 }, () => {
  const scene = useScene({
    SERVICE_REGISTRATION: 'open',
    SERVICE_SANDBOX_SECRET: 'sandbox-secret-0123456789',
    SERVICE_SUPPORT_EMAIL: 'help@figs.example',
    SERVICE_ALLOW_PRIVATE_WEBHOOKS: 'yes',
    SERVICE_PLANS: JSON.stringify([
      { id: 'free', name: 'Free', price: 0, currency: 'EUR', error_quota: 100, ai_quota: 5 },
      { id: 'team', name: 'Team', price: 2900, currency: 'EUR', error_quota: 100_000, ai_quota: 500 },
      { id: 'large', name: 'Large', price: 9900, currency: 'EUR', error_quota: null, ai_quota: null },
    ]),
    SERVICE_PLAN: 'free',
  });
  let folder: string;
  let shop: { id: number };
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'service-maps-'));
    shop = await scene.project('Shop');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** In the dark and on a phone what all screens are made of has been looked at already. */
  const isFull = process.env.TEST_DEPTH === 'full';
  const isSound = async (page: Page): Promise<void> =>
    expect([...(await judge(page)), ...(isFull ? await judgeDarkAndNarrow(page) : [])]).toEqual([]);
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

  test('an account is made, with a team of its own; an e-mail that is taken and a short password are refused', async () => {
    const page = await scene.open('/', await scene.context({ as: null, wanted: /status of 409/ }));
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.getByRole('heading', { name: 'Create an account' }).waitFor();
    await isSound(page);
    await page.getByLabel('E-mail').fill(owner.email.replace('localhost', 'shop.example'));
    await page.getByLabel('Password').fill('too short');
    await press(page, 'Create account');
    expect(await page.locator('input:invalid').getAttribute('name')).toBe('password');

    await scene.api('POST', '/members', { email: 'taken@shop.example', role: 'viewer', password: owner.password });
    await page.getByLabel('E-mail').fill('taken@shop.example');
    await page.getByLabel('Password').fill(owner.password);
    await press(page, 'Create account');
    await page.getByText('Somebody on this server has this e-mail address already.').waitFor();

    await page.getByLabel('E-mail').fill('ada@shop.example');
    await page.getByLabel('Team').fill('Figs');
    await press(page, 'Create account');
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
    await page.getByRole('link', { name: 'Team' }).click();
    await page.getByRole('heading', { name: 'Figs' }).waitFor();
  });

  test('one renames oneself, and changes the password with the one that is good until then', async () => {
    const bob = { email: 'bob@shop.example', password: owner.password };
    await scene.api('POST', '/members', { ...bob, role: 'viewer' });
    const page = await scene.open('/tokens', await scene.context({ as: bob, wanted: /status of 401/ }));
    await page.getByLabel('Your name').fill('Bob the viewer');
    await press(page, 'Rename');
    await page.getByRole('heading', { name: 'Bob the viewer' }).waitFor();

    await page.getByLabel('Password until now').fill('not the password');
    await page.getByLabel('New password').fill('another long password');
    await press(page, 'Change password');
    await page.getByText('Enter the password that you have now.').waitFor();
    expect(await page.getByText('E-mail and password').count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('current_password');
    await page.getByLabel('Password until now').fill(bob.password);
    await press(page, 'Change password');
    await page.getByText('The password is changed.').waitFor();
    const again = await scene.context({ as: { ...bob, password: 'another long password' } });
    expect(await again.cookies()).toHaveLength(1);
  });

  test('whoever signs in where a session has ended sees nothing of the one before', async () => {
    const eve = { email: 'eve@figs.example', password: owner.password };
    const registered = await fetch(`${scene.url}/api/v1/auth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(eve),
    });
    expect(registered.status).toBe(201);
    const page = await scene.open('/projects', await scene.context({ wanted: /status of 401/ }));
    await page.locator('.cards', { hasText: 'Shop' }).waitFor();
    const ended = { status: 401, json: { code: 'expired_token' } };
    await page.route('**/api/v1/billing/plans', (route) => route.fulfill(ended), { times: 1 });
    await page.getByRole('link', { name: 'Usage' }).click();
    await page.getByText('Your sign-in has ended.').waitFor();
    await page.goBack();

    let letGo = (): void => {};
    const held = new Promise<void>((resolve) => (letGo = resolve));
    await page.route('**/api/v1/projects', async (route) => {
      await held;
      await route.continue();
    });
    await page.getByLabel('E-mail').fill(eve.email);
    await page.getByLabel('Password').fill(eve.password);
    await press(page, 'Sign in');
    await page.getByRole('heading', { name: 'Projects' }).waitFor();
    expect(await page.getByText('Shop').count()).toBe(0);
    letGo();
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
  });

  test('maps are uploaded by hand, refused with a reason, and deleted after a question', async () => {
    await writeFile(join(folder, 'app-1.js.map'), JSON.stringify(map));
    await writeFile(join(folder, 'notes.json'), '{"figs": 3}');
    await writeFile(join(folder, 'huge.js.map'), '');
    await truncate(join(folder, 'huge.js.map'), 70 * 1024 * 1024);
    const page = await scene.open(
      `/projects/${shop.id}/source-maps`,
      await scene.context({ wanted: /status of (413|422)/ }),
    );
    await page.getByText('No source map yet').waitFor();
    await page.getByLabel('Release').fill('1.0.0');
    const files = ['app-1.js.map', 'notes.json', 'huge.js.map'].map((name) => join(folder, name));
    await page.getByLabel('Source maps, chosen').setInputFiles(files);
    await press(page, 'Upload');
    await page.getByText(/^notes\.json: .*\nhuge\.js\.map: .*larger than/).waitFor();
    await page.getByRole('heading', { name: '1.0.0' }).waitFor();
    await isSound(page);

    await page.getByLabel('Source maps, chosen').setInputFiles(files.slice(0, 1));
    await press(page, 'Upload');
    await page.getByText('The map is here.').waitFor();
    expect(await page.locator('.release tbody tr').count()).toBe(1);
    await press(page, 'Delete app-1.js');
    await page.getByText('until a map like it is uploaded').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No source map yet').waitFor();
  });

  test('a file that is dropped beside the field is taken, and the page stays', async () => {
    const page = await scene.open(`/projects/${shop.id}/source-maps`);
    await page.getByRole('heading', { name: 'Upload' }).waitFor();
    await page.evaluate((text) => {
      const dropped = new DataTransfer();
      dropped.items.add(new File([text], 'dropped.js.map'));
      const heading = Array.from(document.querySelectorAll('h2')).find((other) => other.textContent === 'Upload');
      heading?.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: dropped }));
    }, JSON.stringify(map));
    await press(page, 'Upload');
    await page.getByRole('heading', { name: 'Without a release' }).waitFor();
    expect(await page.locator('.release tbody tr').textContent()).toContain('dropped.js');
  });

  test('who comes back from a checkout is told what became of it, also if that takes a while', async () => {
    const { payment_id, checkout_url } = await scene.api<{ payment_id: number; checkout_url: string }>(
      'POST',
      '/billing/checkout',
      { plan: 'team' },
    );
    const settle = async (url: string, how: 'pay' | 'fail'): Promise<void> => {
      expect((await fetch(`${url}/${how}`, { method: 'POST' })).ok).toBe(true);
    };
    const page = await scene.open(`/#payment=${payment_id}`);
    await page.getByText('Waiting for the payment to be confirmed. Until then your plan is Free').waitFor();
    await settle(checkout_url, 'pay');
    await page.getByText('The payment is made. Your plan is Team.').waitFor();
    await page.locator('.current', { hasText: 'Team' }).waitFor();

    await press(page, 'Change to Large');
    await page.getByText('Sandbox: no money is taken').waitFor();
    const large = page.url();
    await page.getByRole('link', { name: 'Back' }).click();
    await page.getByText('You left before paying.').waitFor();
    await settle(large, 'fail');
    await page.getByText('The payment has failed.').waitFor();
    await page.getByRole('link', { name: 'Close' }).click();
    await page.getByText('The payment has failed.').waitFor({ state: 'detached' });
  });

  test('a payment that is not confirmed for five minutes names support and its number, also after a reload', async () => {
    const { payment_id, checkout_url } = await scene.api<{ payment_id: number; checkout_url: string }>(
      'POST',
      '/billing/checkout',
      { plan: 'large' },
    );
    const context = await scene.context();
    await context.clock.install();
    const page = await scene.open(`/usage?payment=${payment_id}`, context);
    await page.getByText('Waiting for the payment to be confirmed.').waitFor();
    await context.clock.fastForward('04:00');
    expect(await page.getByText('Contact support').count()).toBe(0);
    await page.reload();
    await page.getByText('Waiting for the payment to be confirmed.').waitFor();
    await context.clock.fastForward('01:01');
    await page.getByText(`Contact support and give them payment number ${payment_id}.`).waitFor();
    const link = page.getByRole('link', { name: 'help@figs.example' });
    expect(await link.getAttribute('href')).toBe(`mailto:help@figs.example?subject=Payment%20${payment_id}`);
    await isSound(page);
    await fetch(`${checkout_url}/fail`, { method: 'POST' });
    await context.clock.fastForward('00:10');
    await page.getByText('The payment has failed.').waitFor();
  });

  test('the month of usage is that of UTC, wherever the reader is', async () => {
    const { period_start } = await scene.api<{ period_start: string }>('GET', '/billing/usage');
    const month = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });
    const page = await scene.open('/usage', await scene.context({ timezoneId: 'Pacific/Honolulu' }));
    await page.locator('.meters').waitFor();
    const shown = await page.locator('main').textContent();
    expect(shown).toContain(`${month.format(new Date(period_start))}, counted in UTC.`);
  });

  test('a field that is refused says below it what to write, and names the line that is wrong', async () => {
    const page = await scene.open(`/projects/${shop.id}/origins`, await scene.context({ wanted: /status of 422/ }));
    const origins = page.getByLabel('Origins, one a line');
    await origins.fill('https://good.example\nhttps://shop.example/cart\nfigs');
    await press(page, 'Save');
    const text = '“https://shop.example/cart” (line 2), “figs” (line 3): Write https://example.com, without a path.';
    const problem = page.locator('p.problem', { hasText: 'line 2' });
    await problem.waitFor();
    expect(await problem.textContent()).toBe(text);
    expect(await origins.getAttribute('aria-describedby')).toBe(await problem.getAttribute('id'));
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('text');
    expect(await page.evaluate(() => document.getSelection()?.toString())).toBe('https://shop.example/cart');
    await isSound(page);
    await origins.fill('');
    await press(page, 'Save');
    await page.getByText('Saved.').waitFor();
    expect(await problem.count()).toBe(0);

    await page.goto(`${scene.url}/projects/${shop.id}/notifications`);
    await page.locator('[name=to]').fill('ada@shop.example, bob, eve');
    await page.locator('[name=url]').fill('ftp://chat.example');
    await press(page, 'Save');
    await page.getByText('“bob”, “eve”: Enter e-mail addresses').waitFor();
    expect(await page.locator('p.problem', { hasText: 'bob' }).textContent()).toMatch(/^.{12}: Enter [^“]+$/);
    await page.getByText('it starts with https:// or http://').waitFor();
    await isSound(page);

    await page.goto(`${scene.url}/projects/${shop.id}/settings`);
    await page.getByLabel('Name of the app').fill('   ');
    await press(page, 'Rename');
    await page.getByText('Enter a name.').waitFor();
  });

  test('a test message that is not taken says on the screen why', async () => {
    const page = await scene.open(
      `/projects/${shop.id}/notifications`,
      await scene.context({ wanted: /status of 422/ }),
    );
    const save = async (): Promise<void> => {
      await press(page, 'Save');
      await page.getByText('Saved.').waitFor();
      await page.getByRole('button', { name: 'Close' }).click();
    };
    await page.getByLabel('Post to a channel').check();
    // A port of the server itself, which takes no messages there.
    await page.locator('[name=url]').fill(`${scene.url}/nowhere`);
    await save();
    await press(page, 'Send a test');
    await page.getByText('The webhook rejected the message with status 404.').waitFor();
    await isSound(page);
    await page.locator('[name=url]').fill('http://nowhere.invalid/');
    await save();
    // The last result was that of another target.
    expect(await page.locator('div[role=alert] p').count()).toBe(0);
    await press(page, 'Send a test');
    await page.getByText('The host name of the webhook URL could not be resolved.').waitFor();
    expect(await page.locator('div[role=alert] p').count()).toBe(1);
    await page.getByLabel('Post to a channel').uncheck();
    await save();
  });

  test('a page that is refused is put on the list where its reports are missed', async () => {
    const page = await scene.open(`/projects/${shop.id}/start#cors`);
    await page.getByText('The list is empty').waitFor();
    await isSound(page);
    await page.getByLabel('Address of the page').fill('https://shop.example/checkout?step=2');
    await press(page, 'Allow it');
    await page.getByText('https://shop.example may report now.').waitFor();
    await page.getByText('On the list: https://shop.example').waitFor();
    await page.getByLabel('Address of the page').fill('https://shop.example');
    await press(page, 'Allow it');
    await page.getByText('so something else stands in the way').waitFor();
    const preflight = await fetch(`${scene.url}/api/v1/errors`, {
      method: 'OPTIONS',
      headers: { origin: 'https://shop.example', 'access-control-request-method': 'POST' },
    });
    expect(preflight.headers.get('access-control-allow-origin')).toBe('https://shop.example');
    await scene.api('PUT', '/origins', { origins: [] });
  });
});
