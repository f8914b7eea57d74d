import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testFailures } from '../../packages/protocol/src/index.ts';
import { hasChromium } from '../test-utils/chromium.mjs';
import { findPhoneProblems, findProblems } from './assert-screen.ts';
import { owner, useDashboard } from './context.ts';
import { isFull } from '../test-utils/depth.ts';

const map = {
  version: 3,
  file: 'app-1.js',
  sources: ['src/total.ts'],
  sourcesContent: ['export function total(lines) {\n  return lines[0].price;\n}\n'],
  names: [],
  mappings: 'AACE',
};

describe.skipIf(!hasChromium)('a form of the dashboard', () => {
  const dashboard = useDashboard({
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
    shop = await dashboard.createProject('Shop');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** The tests of the screens check all components on a dark phone, so the short run skips that here. */
  const assertValid = async (page: Page): Promise<void> =>
    expect([...(await findProblems(page)), ...(isFull ? await findPhoneProblems(page) : [])]).toEqual([]);
  /** Registers an account, and returns why the server rejects it. */
  const rejectionOf = async (email: string): Promise<string> => {
    const response = await fetch(`${dashboard.url}/api/v1/auth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: owner.password }),
    });
    return ((await response.json()) as { detail: string }).detail;
  };
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

  test('creates an account with a new team, and rejects a known e-mail address and a short password', async () => {
    const page = await dashboard.open('/', await dashboard.newBrowser({ as: null, expectedErrors: /status of 409/ }));
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.getByRole('heading', { name: 'Create an account' }).waitFor();
    await assertValid(page);
    await page.getByLabel('E-mail').fill(owner.email.replace('localhost', 'shop.example'));
    await page.getByLabel('Password').fill('too short');
    await press(page, 'Create account');
    expect(await page.locator('input:invalid').getAttribute('name')).toBe('password');

    await dashboard.api('POST', '/members', { email: 'taken@shop.example', role: 'viewer', password: owner.password });
    await page.getByLabel('E-mail').fill('taken@shop.example');
    await page.getByLabel('Password').fill(owner.password);
    await press(page, 'Create account');
    await page.getByText(await rejectionOf('taken@shop.example')).waitFor();

    await page.getByLabel('E-mail').fill('ada@shop.example');
    await page.getByLabel('Team').fill('Figs');
    await press(page, 'Create account');
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
    await page.getByRole('link', { name: 'Team' }).click();
    await page.getByRole('heading', { name: 'Figs' }).waitFor();
  });

  test('changes the name and, with the current password, the password of the user', async () => {
    const bob = { email: 'bob@shop.example', password: owner.password };
    await dashboard.api('POST', '/members', { ...bob, role: 'viewer' });
    const page = await dashboard.open(
      '/tokens',
      await dashboard.newBrowser({ as: bob, expectedErrors: /status of 401/ }),
    );
    await page.getByLabel('Your name').fill('Bob the viewer');
    await press(page, 'Rename');
    await page.getByRole('heading', { name: 'Bob the viewer' }).waitFor();

    await page.getByLabel('Current password').fill('not the password');
    await page.getByLabel('New password').fill('another long password');
    await press(page, 'Change password');
    await page.getByText('This is not your current password.').waitFor();
    expect(await page.locator('.problem', { hasText: /e-mail/i }).count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('current_password');
    await page.getByLabel('Current password').fill(bob.password);
    await press(page, 'Change password');
    await page.getByText('Password changed.').waitFor();
    const again = await dashboard.newBrowser({ as: { ...bob, password: 'another long password' } });
    expect(await again.cookies()).toHaveLength(1);
  });

  test('shows no data of the previous user after another user signs in', async () => {
    const eve = { email: 'eve@figs.example', password: owner.password };
    const registered = await fetch(`${dashboard.url}/api/v1/auth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(eve),
    });
    expect(registered.status).toBe(201);
    const page = await dashboard.open('/projects', await dashboard.newBrowser({ expectedErrors: /status of 401/ }));
    await page.locator('.cards', { hasText: 'Shop' }).waitFor();
    const ended = { status: 401, json: { code: 'expired_token' } };
    await page.route('**/api/v1/billing/plans', (route) => route.fulfill(ended), { times: 1 });
    await page.getByRole('link', { name: 'Usage' }).click();
    await page.getByText('Your session expired.').waitFor();
    await page.goBack();

    let release = (): void => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/api/v1/projects', async (route) => {
      await released;
      await route.continue();
    });
    await page.getByLabel('E-mail').fill(eve.email);
    await page.getByLabel('Password').fill(eve.password);
    await press(page, 'Sign in');
    await page.getByRole('heading', { name: 'Projects' }).waitFor();
    expect(await page.getByText('Shop').count()).toBe(0);
    release();
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
  });

  test('invites a member, and then offers the default role again', async () => {
    const page = await dashboard.open('/team');
    await page.getByLabel('E-mail').fill('cem@shop.example');
    const role = page.locator('select[name=role]');
    await role.selectOption('Viewer');
    await press(page, 'Invite');
    await page.getByText('Send this link to cem@shop.example.').waitFor();
    expect(await page.getByLabel('Role of cem@shop.example').inputValue()).toBe('viewer');
    expect(await role.inputValue()).toBe('member');
    expect(await page.getByLabel('E-mail').inputValue()).toBe('');
  });

  test('replaces the link of an invited member, and does not remove a member who has joined', async () => {
    const invite = (email: string) =>
      dashboard.api<{ invite_url: string }>('POST', '/members', { email, role: 'viewer', name: 'Dan' });
    const first = await invite('dan@shop.example');
    const page = await dashboard.open('/team');
    const row = page.locator('.people tr', { hasText: 'dan@shop.example' });
    await press(page, 'New link for Dan');
    await page.getByText('Send this link to dan@shop.example.').waitFor();
    const link = (await page.getByRole('region', { name: 'Invitation' }).textContent()) ?? '';
    expect(link).not.toBe(first.invite_url);
    await row.getByText('invited').waitFor();
    expect(await row.count()).toBe(1);
    expect(await page.getByLabel('Role of Dan').inputValue()).toBe('viewer');
    await assertValid(page);

    const accept = async (url: string): Promise<number> => {
      const response = await fetch(`${dashboard.url}/api/v1/auth/invitations/accept`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ token: url.split('#invitation=')[1], password: owner.password }),
      });
      return response.status;
    };
    expect(await accept(first.invite_url)).toBe(401);
    expect(await accept(link)).toBe(201);
    await press(page, 'New link for Dan');
    await page.getByText('Dan is no longer invited.').waitFor();
    await row.getByText('invited').waitFor({ state: 'detached' });
    expect(await row.count()).toBe(1);
  });

  test('leads from an invitation into the team, without the sign-in form and without an old message', async () => {
    const { invite_url } = await dashboard.api<{ invite_url: string }>('POST', '/members', {
      email: 'eda@shop.example',
      role: 'member',
    });
    const page = await dashboard.open(
      '/#sign-in=dead',
      await dashboard.newBrowser({ as: null, expectedErrors: /status of 401/ }),
    );
    await page.getByText('The link was used or has expired').waitFor();
    await page.evaluate((url) => (location.hash = new URL(url).hash), invite_url);
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
    expect(await page.locator('main > .problem').textContent()).toBe('');
    await page.evaluate(() => {
      const headings: string[] = [];
      Object.assign(window, { headings });
      new MutationObserver(() => headings.push(document.querySelector('h1')?.textContent ?? '')).observe(
        document.body,
        { childList: true, subtree: true },
      );
    });
    await page.getByLabel('Choose a password').fill(owner.password);
    await press(page, 'Join');
    await page.getByRole('link', { name: 'Team' }).waitFor();
    const headings = await page.evaluate(() => (window as unknown as { headings: string[] }).headings);
    expect(headings).not.toContain('Sign in');
  });

  test('fits its example into the search box next to all menus', async () => {
    const { api_key } = await dashboard.createProject('Back office');
    for (const name of ['production', 'staging']) await dashboard.report(api_key, { environment: name, release: name });
    const page = await dashboard.open();
    await page.getByLabel('Project', { exact: true }).waitFor();
    const box = page.getByLabel('Search errors');
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 800 });
      await box.fill((await box.getAttribute('placeholder')) ?? '');
      expect(await box.evaluate((input) => input.scrollWidth - input.clientWidth)).toBe(0);
      await box.fill('');
    }
  });

  test('keeps the buttons of code blocks off the code', async () => {
    const page = await dashboard.open(`/projects/${shop.id}/start`);
    await page.getByRole('button', { name: 'Script', exact: true }).click();
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 780 });
      const code = await page.getByRole('region', { name: 'Code for Script' }).boundingBox();
      const button = await page.getByRole('button', { name: 'Copy Code for Script' }).boundingBox();
      if (!code || !button) throw new Error('The code or its button is not shown.');
      expect(button.x >= code.x + code.width || button.y >= code.y + code.height).toBe(true);
    }
  });

  test('uploads source maps, shows why one is rejected, and deletes one after a confirmation', async () => {
    await writeFile(join(folder, 'app-1.js.map'), JSON.stringify(map));
    await writeFile(join(folder, 'notes.json'), '{"figs": 3}');
    await writeFile(join(folder, 'huge.js.map'), '');
    await truncate(join(folder, 'huge.js.map'), 70 * 1024 * 1024);
    const page = await dashboard.open(
      `/projects/${shop.id}/source-maps`,
      await dashboard.newBrowser({ expectedErrors: /status of (413|422)/ }),
    );
    await page.getByText('No source maps yet').waitFor();
    await page.getByLabel('Release').fill('1.0.0');
    const files = ['app-1.js.map', 'notes.json', 'huge.js.map'].map((name) => join(folder, name));
    await page.locator('[name=file]').setInputFiles(files);
    await press(page, 'Upload');
    await page.getByText(/^notes\.json: .*\nhuge\.js\.map: .*larger than/).waitFor();
    await page.getByRole('heading', { name: '1.0.0' }).waitFor();
    await page.getByText(/^All projects of the team: 1 kB of 10\.0 GB, stored compressed\. /).waitFor();
    await page.getByText('Up to 64 MB each.').waitFor();
    await assertValid(page);

    await page.locator('[name=file]').setInputFiles(files.slice(0, 1));
    await press(page, 'Upload');
    await page.getByText('Uploaded 1 source map.').waitFor();
    expect(await page.locator('.release tbody tr').count()).toBe(1);
    await press(page, 'Delete app-1.js');
    await page.getByText('until you upload it again').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No source maps yet').waitFor();
  });

  test('accepts a file that is dropped next to its field, and stays on the page', async () => {
    const page = await dashboard.open(`/projects/${shop.id}/source-maps`);
    await page.getByRole('heading', { name: 'Upload source maps' }).waitFor();
    await page.evaluate((text) => {
      const dropped = new DataTransfer();
      dropped.items.add(new File([text], 'dropped.js.map'));
      const heading = Array.from(document.querySelectorAll('h2')).find(
        (other) => other.textContent === 'Upload source maps',
      );
      heading?.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: dropped }));
    }, JSON.stringify(map));
    await press(page, 'Upload');
    await page.getByRole('heading', { name: 'No release' }).waitFor();
    expect(await page.locator('.release tbody tr').textContent()).toContain('dropped.js');
  });

  test('shows the result of a payment after the checkout, even if it takes a while', async () => {
    const { payment_id, checkout_url } = await dashboard.api<{ payment_id: number; checkout_url: string }>(
      'POST',
      '/billing/checkout',
      { plan: 'team' },
    );
    const settle = async (url: string, how: 'pay' | 'fail'): Promise<void> => {
      expect((await fetch(`${url}/${how}`, { method: 'POST' })).ok).toBe(true);
    };
    const page = await dashboard.open(`/#payment=${payment_id}`);
    await page.getByText('Waiting for the payment to be confirmed. Your plan is Free until it is confirmed.').waitFor();
    await settle(checkout_url, 'pay');
    await page.getByText('Payment received. Your plan is Team.').waitFor();
    await page.locator('.current', { hasText: 'Team' }).waitFor();

    await press(page, 'Change to Large');
    await page.getByText('Sandbox: you will not be charged').waitFor();
    const large = page.url();
    await page.getByRole('link', { name: 'Back' }).click();
    await page.getByText('You left the checkout before paying.').waitFor();
    await settle(large, 'fail');
    await page.getByText('The payment failed.').waitFor();
    await page.getByRole('link', { name: 'Close' }).click();
    await page.getByText('The payment failed.').waitFor({ state: 'detached' });
  });

  test('names the support address and the payment number if a payment stays unconfirmed for five minutes, even after a reload', async () => {
    const { payment_id, checkout_url } = await dashboard.api<{ payment_id: number; checkout_url: string }>(
      'POST',
      '/billing/checkout',
      { plan: 'large' },
    );
    const context = await dashboard.newBrowser();
    await context.clock.install();
    const page = await dashboard.open(`/usage?payment=${payment_id}`, context);
    await page.getByText('Waiting for the payment to be confirmed.').waitFor();
    await context.clock.fastForward('04:00');
    expect(await page.getByText('Contact support').count()).toBe(0);
    await page.reload();
    await page.getByText('Waiting for the payment to be confirmed.').waitFor();
    await context.clock.fastForward('01:01');
    await page.getByText(`Contact support and mention payment number ${payment_id}.`).waitFor();
    const link = page.getByRole('link', { name: 'help@figs.example' });
    expect(await link.getAttribute('href')).toBe(`mailto:help@figs.example?subject=Payment%20${payment_id}`);
    await assertValid(page);
    await fetch(`${checkout_url}/fail`, { method: 'POST' });
    await context.clock.fastForward('00:10');
    await page.getByText('The payment failed.').waitFor();
  });

  test('shows the usage of the month in UTC in any time zone', async () => {
    const { period_start } = await dashboard.api<{ period_start: string }>('GET', '/billing/usage');
    const month = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });
    const page = await dashboard.open('/usage', await dashboard.newBrowser({ timezoneId: 'Pacific/Honolulu' }));
    await page.locator('.meters').waitFor();
    // The value follows its title directly, also in a card that is lower than the others.
    const gaps = await page.locator('.meter').evaluateAll((cards) =>
      cards.map((card) => {
        const [title, value] = Array.from(card.children, (child) => {
          const text = document.createRange();
          text.selectNodeContents(child);
          return text.getBoundingClientRect();
        });
        return Math.round((value?.top ?? 0) - (title?.bottom ?? 0));
      }),
    );
    expect(new Set(gaps).size).toBe(1);
    const shown = await page.locator('main').textContent();
    expect(shown).toContain(`${month.format(new Date(period_start))} (UTC).`);
  });

  test('shows below a rejected field which values are expected, and quotes the invalid lines', async () => {
    const page = await dashboard.open(
      `/projects/${shop.id}/origins`,
      await dashboard.newBrowser({ expectedErrors: /status of 422/ }),
    );
    const origins = page.getByLabel('Allowed origins (one per line)');
    await origins.fill('https://good.example\nhttps://shop.example/cart\nfigs');
    await press(page, 'Save');
    const text =
      '“https://shop.example/cart” (line 2), “figs” (line 3): Enter origins such as https://example.com, without a path.';
    const problem = page.locator('p.problem', { hasText: 'line 2' });
    await problem.waitFor();
    expect(await problem.textContent()).toBe(text);
    expect(await origins.getAttribute('aria-describedby')).toBe(await problem.getAttribute('id'));
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('text');
    expect(await page.evaluate(() => document.getSelection()?.toString())).toBe('https://shop.example/cart');
    await assertValid(page);
    await origins.fill('');
    await press(page, 'Save');
    await page.getByText('Saved.').waitFor();
    expect(await problem.count()).toBe(0);

    await page.goto(`${dashboard.url}/projects/${shop.id}/notifications`);
    await page.locator('[name="email.to"]').fill('ada@shop.example, bob, eve');
    await page.locator('[name="webhook.url"]').fill('ftp://chat.example');
    await press(page, 'Save');
    await page.getByText('“bob”, “eve”: Enter at most 20 e-mail addresses').waitFor();
    expect(await page.locator('p.problem', { hasText: 'bob' }).textContent()).toMatch(/^.{12}: Enter [^“]+$/);
    await page.getByText('It starts with https:// or http://').waitFor();
    await assertValid(page);

    await page.goto(`${dashboard.url}/projects/${shop.id}/settings`);
    await page.getByLabel('Project name').fill('   ');
    await press(page, 'Rename');
    await page.getByText('Enter a name.').waitFor();
  });

  test('shows which channel did not deliver a test message, and why', async () => {
    const page = await dashboard.open(
      `/projects/${shop.id}/notifications`,
      await dashboard.newBrowser({ expectedErrors: /status of 422/ }),
    );
    const save = async (): Promise<void> => {
      await press(page, 'Save');
      await page.getByText('Saved.').waitFor();
      await page.getByRole('button', { name: 'Close' }).click();
    };
    await page.getByLabel('Send to Slack or Mattermost').check();
    // An address of the server itself, which responds with 404.
    await page.locator('[name="webhook.url"]').fill(`${dashboard.url}/nowhere`);
    await save();
    await press(page, 'Send a test message');
    await page.getByText(`Webhook: ${testFailures.webhook_rejected.replace('{status}', '404')}`).waitFor();
    await assertValid(page);
    await page.locator('[name="webhook.url"]').fill('http://nowhere.invalid/');
    await save();
    // The previous result belonged to another URL.
    expect(await page.locator('div[role=alert] p').count()).toBe(0);
    await press(page, 'Send a test message');
    await page.getByText(testFailures.host_not_found).waitFor();
    expect(await page.locator('div[role=alert] p').count()).toBe(1);
    // The server has no mail server.
    await page.getByText('This server can’t send e-mails yet').waitFor();
    await page.locator('[name="email.to"]').fill('ada@shop.example');
    await page.getByLabel('Send e-mails').check();
    await page.locator('[name="webhook.url"]').fill(`${dashboard.url}/nowhere`);
    await save();
    await press(page, 'Send a test message');
    await page.getByText(`E-mail: ${testFailures.no_mail_server}`).waitFor();
    expect(await page.locator('div[role=alert] p').count()).toBe(2);
    await assertValid(page);
    await page.getByLabel('Send e-mails').uncheck();
    await page.getByLabel('Send to Slack or Mattermost').uncheck();
    await save();
  });

  test('adds the origin of a blocked page to the allowed origins on the setup screen', async () => {
    const page = await dashboard.open(`/projects/${shop.id}/start#cors`);
    await page.getByText('No origins are added yet').waitFor();
    await assertValid(page);
    await page.getByLabel('Address of the blocked page').fill('https://shop.example/checkout?step=2');
    await press(page, 'Allow origin');
    await page.getByText('https://shop.example can now send reports.').waitFor();
    await page.getByText('Allowed origins: https://shop.example').waitFor();
    await page.getByLabel('Address of the blocked page').fill('https://shop.example');
    await press(page, 'Allow origin');
    await page.getByText('The problem has another cause.').waitFor();
    const preflight = await fetch(`${dashboard.url}/api/v1/errors`, {
      method: 'OPTIONS',
      headers: { origin: 'https://shop.example', 'access-control-request-method': 'POST' },
    });
    expect(preflight.headers.get('access-control-allow-origin')).toBe('https://shop.example');
    await dashboard.api('PUT', '/origins', { origins: [] });
  });
});
