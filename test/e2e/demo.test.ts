import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasChromium, launchChromium, newPage } from '../test-utils/chromium.mjs';
import { isReport, openDemoPage } from './demo-page.ts';
import { freePort } from '../test-utils/free-port.ts';
import { killDemos, runDemo, startDemo, type DemoProcess } from './demo-process.ts';
import { serveForeignPage } from './foreign-page.ts';
import { createOwnerApi, signIn, type OwnerApi } from './owner-api.ts';

const adminToken = 'e2e-admin-token-0123456789';
const asAdmin = { SERVICE_ADMIN_TOKEN: adminToken };

const serverProgram = fileURLToPath(new URL('../../packages/server/bin/service-server.js', import.meta.url));

let folder: string;

let folders = 0;
/** Returns the address of a storage in a new folder. */
const newStorage = (): string => `file:${join(folder, String(++folders))}`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'service-e2e-'));
});

afterAll(async () => {
  await killDemos();
  await rm(folder, { recursive: true, force: true });
});

/** The failing buttons, each with its message and the line of the original source that throws. */
const kinds = [
  {
    button: 'checkout',
    type: 'RangeError',
    message: 'There is no price for figs',
    file: 'price.ts',
    code: 'throw new RangeError',
  },
  {
    button: 'customer',
    type: 'TypeError',
    message: "Cannot read properties of undefined (reading 'city')",
    file: 'customer.ts',
    code: '.city.',
  },
  { button: 'payment', type: 'Error', message: 'The card was declined', file: 'payment.ts', code: 'throw new Error' },
  { button: 'stock', type: 'TypeError', message: 'Failed to fetch', file: 'stock.ts', code: 'await fetch' },
  { button: 'delivery', type: 'Error', message: 'No van is free today', file: 'delivery.ts', code: 'throw new Error' },
  {
    button: 'order',
    type: 'Error',
    message: 'The order could not be saved',
    file: 'order.ts',
    code: 'throw new Error',
  },
  { button: 'legacy', type: null, message: 'The shop is closed', file: 'legacy.ts', code: "throw 'The shop" },
  {
    button: 'voucher',
    type: 'SyntaxError',
    message: 'The voucher can not be read',
    file: 'voucher.ts',
    code: 'throw new SyntaxError',
  },
];

/** The button that reports a message, which has no stack. */
const feedback = 'A customer could not find the figs';
const messages = [...kinds.map(({ message }) => message), feedback].toSorted();

describe.skipIf(!hasChromium)('the demo in Chromium', () => {
  let browser: Browser;
  let demo: DemoProcess;
  let api: OwnerApi;

  beforeAll(async () => {
    browser = await launchChromium();
    demo = await startDemo(newStorage(), asAdmin);
    api = createOwnerApi(demo.dashboard, adminToken);
  });

  afterAll(() => browser?.close());

  const open = () => openDemoPage(browser, demo.demo);

  test.each(kinds)('the button $button opens a group: $message', async ({ button, type, message, file, code }) => {
    const { page, report, warnings } = await open();
    expect((await report(button)).status()).toBe(200);
    const group = await api.group(message);
    expect(group).toMatchObject({ type, message, count: 1, status: 'active' });
    expect(group.tags.browser[0]?.value).toMatch(/^Chrom/);
    expect(group.latest_report).toMatchObject({ environment: 'demo', release: '0.1.0', url: demo.demo });
    expect(group.latest_report.breadcrumbs).toContainEqual({
      timestamp: expect.stringMatching(/^\d{4}-.+Z$/),
      type: 'ui',
      category: 'click',
      data: { selector: expect.stringContaining(button) },
    });
    expect(warnings).toEqual([]);
    const line = await lineOf(file, code);
    const frame = group.latest_report.frames.find(({ in_app }) => in_app);
    expect(frame).toMatchObject({ file: `shop/${file}`, line: line.line, resolved: true });
    expect(frame?.context).toContainEqual(line);
    await page.close();
  });

  test('a message opens a group with its level', async () => {
    const { page, report } = await open();
    await report('feedback');
    const group = await api.group(feedback);
    expect(group).toMatchObject({ type: null, level: 'warning', count: 1 });
    expect(group.latest_report).toMatchObject({ stacktrace: null, frames: [] });
    await page.close();
  });

  test('every kind of error opens a separate group', async () => {
    const groups = await api.groups();
    expect(groups.map(({ message }) => message).toSorted()).toEqual(messages);
  });

  test('frames of the minified bundle show the calls of the source', async () => {
    const { latest_report } = await api.group('There is no price for figs');
    const places = latest_report.frames.filter(({ in_app }) => in_app).map(({ file, line }) => `${file}:${line}`);
    const callers = [
      ['price.ts', 'throw new RangeError'],
      ['cart.ts', 'priceOf(article) *'],
      ['cart.ts', 'lines.reduce'],
      ['checkout.ts', 'total(lines)'],
    ] as const;
    const expected = await Promise.all(
      callers.map(async ([file, code]) => `shop/${file}:${(await lineOf(file, code)).line}`),
    );
    expect(places.slice(0, 4)).toEqual(expected);
  });

  test('each kind of error arrives with its own data', async () => {
    const stock = await api.group('Failed to fetch');
    expect(stock.latest_report.breadcrumbs).toContainEqual(
      expect.objectContaining({
        type: 'http',
        category: 'fetch',
        data: expect.objectContaining({ url: 'http://127.0.0.1:9/stock?article=figs', status: 0 }),
      }),
    );
    const delivery = await api.group('No van is free today');
    const logged = delivery.latest_report.breadcrumbs.filter(({ type }) => type === 'console').map(({ data }) => data);
    expect(logged).toEqual([
      { level: 'info', arguments: ['Planning the delivery', { parcels: 2 }] },
      { level: 'warn', arguments: ['The van is full'] },
    ]);
    const order = await api.group('The order could not be saved');
    expect(order.latest_report.stacktrace).toMatch(/^Caused by: SyntaxError: .+\n +at JSON\.parse/m);
    const voucher = await api.group('The voucher can not be read');
    expect(voucher.latest_report.metadata).toEqual({ voucher: 'SAVE-lots' });
  });

  test('a resolved group is active again when its error returns', async () => {
    const { page, report } = await open();
    const { error_group_id, count } = await api.group('The card was declined');
    expect((await api.resolve(error_group_id)).status).toBe('resolved');
    await report('payment');
    expect(await api.group('The card was declined')).toMatchObject({
      error_group_id,
      status: 'active',
      count: count + 1,
      reopen_count: 1,
    });
    await page.close();
  });

  test('the same error twice is reported once', async () => {
    const { page, report, press, requests } = await open();
    // After some seconds the same error would be reported again.
    await page.evaluate(() => {
      const now = Date.now();
      Date.now = () => now;
    });
    await report('legacy');
    await press('legacy');
    // A report of the second press would have been sent before this one.
    await report('order');
    expect(requests).toHaveLength(2);
    await page.close();
  });

  test('a page with a rotated key warns once and stops sending; after a reload it reports again', async () => {
    const { page, report, press, requests, warnings } = await open();
    const [project] = await api.projects();
    await api.rotateKey(project?.id ?? 0);
    expect((await report('delivery')).status()).toBe(401);
    await press('order');
    await press('voucher');
    await page.reload();
    expect((await report('delivery')).status()).toBe(200);
    expect(requests).toHaveLength(2);
    expect(warnings).toEqual([expect.stringContaining('apiKey')]);
    await page.close();
  });

  test('the printed link signs in once and opens the groups with their source', async () => {
    const page = await newPage(browser);
    const problems = collectProblems(page);
    await page.goto(demo.signIn);
    await page.getByRole('link', { name: 'RangeError There is no price for figs' }).waitFor();
    expect(page.url()).toBe(`${demo.dashboard}/`);
    expect(await page.locator('tbody tr').count()).toBe(messages.length);

    await page.getByRole('link', { name: 'RangeError There is no price for figs' }).click();
    await page.getByRole('heading', { name: 'RangeError' }).waitFor();
    const failing = page.getByRole('region', { name: 'Failing line' });
    expect(await failing.locator('code').first().textContent()).toMatch(/^shop\/price\.ts:\d+:\d+$/);
    expect(await failing.locator('span.failing').textContent()).toContain('throw new RangeError');

    await page.getByRole('button', { name: 'Resolve' }).click();
    await page.getByRole('button', { name: 'Reopen' }).waitFor();
    expect((await api.group('There is no price for figs')).status).toBe('resolved');
    expect(problems).toEqual([]);
    await page.close();

    const late = await newPage(browser);
    await late.goto(demo.signIn);
    await late.getByText('The link was used or has expired').waitFor();
    await late.close();
  });

  test('a password sign-in lasts until sign-out, and scripts cannot read it', async () => {
    const page = await newPage(browser);
    await page.goto(demo.dashboard);
    await page.getByLabel('E-mail').fill('admin@localhost');
    await page.getByLabel('Password', { exact: true }).fill('a wrong guess');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Wrong e-mail or password').waitFor();
    await signInByPassword(page, demo);
    await page.reload();
    await page.getByRole('heading', { name: 'Errors' }).waitFor();
    const readable = () => document.cookie + JSON.stringify({ ...localStorage, ...sessionStorage });
    expect(await page.evaluate(readable)).toBe('{}');

    const cookies = await page.context().cookies();
    expect(cookies).toMatchObject([{ name: 'service_session', httpOnly: true, sameSite: 'Strict', path: '/' }]);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.context().cookies()).toEqual([]);
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    // A copy of the cookie is invalid too.
    await page.context().addCookies(cookies);
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.close();
  });

  test('an invitation lets a member choose a password, and signs in', async () => {
    const url = await api.invite('ann@shop.example');
    const page = await newPage(browser);
    const problems = collectProblems(page);
    await page.goto(url);
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
    expect(page.url()).toBe(`${demo.dashboard}/`);
    await page.getByLabel('Your name').fill('Ann');
    await page.getByLabel('A password').fill('correct horse battery');
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByRole('heading', { name: 'Errors' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Errors' }).waitFor();
    expect(problems).toEqual([]);

    await page.goto(url);
    await page.getByLabel('A password').fill('another password');
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByText('The invitation was used or has expired').waitFor();
    await page.close();
  });

  test('hostile text in a report is shown as text and never run', async () => {
    const page = await newPage(browser);
    const attack = '<img src="/x" onerror="document.title=\'owned\'"><b>bold</b>';
    await fetch(`${demo.dashboard}/api/v1/errors`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        project_api_key: (await api.projects())[0]?.api_key,
        type: attack,
        message: attack,
        stacktrace: `${attack}\n    at ${attack} (javascript:alert(1):1:1)`,
        environment: attack,
        url: 'javascript:alert(1)',
        breadcrumbs: [{ timestamp: attack, type: attack, category: attack, data: { message: attack } }],
        metadata: { [attack]: attack },
      }),
    });
    await signInByPassword(page, demo);
    await page.locator('tbody a', { hasText: '<img' }).click();
    await page.locator('p', { hasText: attack }).first().waitFor();
    expect(await page.locator('main img, main b:text-is("bold"), main a[href^="javascript"]').count()).toBe(0);
    expect(await page.title()).not.toBe('owned');
    await page.close();
  });

  test('new reports update the list in place', async () => {
    const page = await newPage(browser);
    await signInByPassword(page, demo);
    const row = page.locator('tbody tr', { hasText: 'The voucher can not be read' });
    const before = Number(await row.locator('.reports').textContent());
    const handle = await row.elementHandle();
    await row.locator('a').focus();

    const shop = await open();
    await shop.report('voucher');
    await shop.page.close();

    await row.locator('.reports', { hasText: String(before + 1) }).waitFor();
    expect(await page.evaluate((old) => old?.isConnected && old.contains(document.activeElement), handle)).toBe(true);
    await page.close();
  });

  test('with the quota used up, the SDK warns once and sends nothing until the page is reloaded', async () => {
    const small = await startDemo(newStorage(), { ...asAdmin, SERVICE_ERROR_QUOTA: '2' });
    const { page, report, press, requests, warnings } = await openDemoPage(browser, small.demo);
    expect((await report('checkout')).status()).toBe(200);
    expect((await report('customer')).status()).toBe(200);
    expect((await report('payment')).status()).toBe(429);
    await press('order');
    await press('delivery');
    await press('feedback');
    expect(warnings).toEqual([expect.stringContaining('quota')]);

    await page.reload();
    expect((await report('order')).status()).toBe(429);
    expect(requests).toHaveLength(4);
    expect(await createOwnerApi(small.dashboard, adminToken).groups()).toHaveLength(2);
    await page.close();
    expect(await small.stop()).toBe(0);
  });

  test('pages of a listed origin report; the browser blocks those of another origin', async () => {
    let reporting = { endpoint: '', apiKey: '' };
    const listed = await serveForeignPage(() => reporting);
    const other = await serveForeignPage(() => reporting);
    const strict = await startDemo(newStorage(), {
      ...asAdmin,
      SERVICE_CORS_ORIGINS: `https://app.example,${listed.origin}`,
    });
    reporting = { endpoint: strict.dashboard, apiKey: strict.projectKey };
    const groups = () => createOwnerApi(strict.dashboard, adminToken).groups();
    const page = await newPage(browser);

    const [blocked, warning] = await Promise.all([
      page.waitForEvent('requestfailed', isReport),
      page.waitForEvent('console', (message) => message.text().startsWith('[ServiceSDK]')),
      page.goto(other.origin),
    ]);
    expect(blocked.failure()?.errorText).toBe('net::ERR_FAILED');
    expect(warning.text()).toContain('allow-list');
    expect(await groups()).toEqual([]);

    await Promise.all([page.waitForResponse((response) => isReport(response.request())), page.goto(listed.origin)]);
    expect(await groups()).toMatchObject([{ message: 'A foreign page has failed', count: 1 }]);

    // The server's own origin needs no entry.
    const own = await openDemoPage(browser, strict.demo);
    expect((await own.report('checkout')).status()).toBe(200);
    await Promise.all([page.close(), own.page.close(), listed.close(), other.close()]);
    expect(await strict.stop()).toBe(0);
  });
});

describe('the demo program', () => {
  test('a second start keeps the project, its source map and its data', async () => {
    const storage = newStorage();
    const first = await startDemo(storage);
    const owner = first.owner ?? { email: '', password: '' };
    expect(owner.email).toBe('admin@localhost');
    const before = createOwnerApi(first.dashboard, await signIn(first.dashboard, owner));
    const [project] = await before.projects();
    expect(project).toMatchObject({ name: 'Demo', api_key: first.projectKey });
    const maps = await before.sourceMaps(project?.id ?? 0);
    await fetch(`${first.dashboard}/api/v1/errors`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ project_api_key: first.projectKey, message: 'From the first start' }),
    });
    expect(await first.stop()).toBe(0);

    const second = await startDemo(storage);
    expect(second.owner).toBeNull();
    expect(second.projectKey).toBe(first.projectKey);
    expect(second.signIn).toMatch(/\/#sign-in=.+/);
    const after = createOwnerApi(second.dashboard, await signIn(second.dashboard, owner));
    expect(await after.projects()).toEqual([project]);
    expect((await after.sourceMaps(project?.id ?? 0)).map(({ id }) => id)).toEqual(maps.map(({ id }) => id));
    expect(await after.groups()).toMatchObject([{ message: 'From the first start', count: 1 }]);
    expect(await second.stop()).toBe(0);
  });

  test('commands of the operator reach the running demo', async () => {
    const storage = newStorage();
    const demo = await startDemo(storage);
    const { stdout } = await promisify(execFile)(process.execPath, [serverProgram, 'teams', '--storage', storage]);
    expect(stdout).toMatch(/^1 +Operator/m);
    expect(await demo.stop()).toBe(0);
  });

  test('the page carries the current key', async () => {
    const demo = await startDemo(newStorage(), asAdmin);
    const api = createOwnerApi(demo.dashboard, adminToken);
    const [project] = await api.projects();
    const key = await api.rotateKey(project?.id ?? 0);
    const page = await (await fetch(demo.demo)).text();
    expect(page).toContain(key);
    expect(page).not.toContain(demo.projectKey);
    expect(await demo.stop()).toBe(0);
  });

  test('the source map of the bundle is not served', async () => {
    const demo = await startDemo(newStorage(), asAdmin);
    const script = /src="(\/demo\/assets\/shop-.+?\.js)"/.exec(await (await fetch(demo.demo)).text())?.[1];
    const response = await fetch(demo.dashboard + script);
    expect(response.status).toBe(200);
    expect(await response.text()).not.toContain('sourceMappingURL');
    expect((await fetch(`${demo.dashboard}${script}.map`)).status).toBe(404);
    expect(await demo.stop()).toBe(0);
  });

  test.each([
    [
      'a taken port',
      /^demo: Port \d+ is taken\. Choose another, SERVICE_PORT=4400 npm start, /,
      async () => ({ SERVICE_PORT: await takenPort() }),
    ],
    [
      'an address of another machine',
      /^demo: listen EADDRNOTAVAIL.* Choose another address with SERVICE_HOST and SERVICE_PORT\.$/,
      async () => ({ SERVICE_HOST: '192.0.2.1' }),
    ],
    ['a wrong setting', /^demo: SERVICE_ERROR_QUOTA: /, async () => ({ SERVICE_ERROR_QUOTA: 'many' })],
    ['a locked folder', /in use/, async () => ({ SERVICE_STORAGE: await lockedStorage() })],
  ])('%s causes one line of output and exit code 1', async (_name, message, settings) => {
    const { code, lines } = await runDemo({
      SERVICE_PORT: String(await freePort()),
      SERVICE_STORAGE: newStorage(),
      ...(await settings()),
    });
    expect(lines).toEqual([expect.stringMatching(message)]);
    expect(code).toBe(1);
  });
});

async function takenPort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address ? String(address.port) : '';
}

async function lockedStorage(): Promise<string> {
  const storage = newStorage();
  await startDemo(storage, asAdmin);
  return storage;
}

/** Returns the location of code in the shop's own TypeScript. */
async function lineOf(file: string, code: string): Promise<{ line: number; text: string }> {
  const source = await readFile(new URL(`../../examples/demo/shop/${file}`, import.meta.url), 'utf8');
  const lines = source.split('\n');
  const index = lines.findIndex((line) => line.includes(code));
  return { line: index + 1, text: lines[index] ?? '' };
}

async function signInByPassword(page: Page, { dashboard, owner }: DemoProcess): Promise<void> {
  await page.goto(dashboard);
  await page.getByLabel('E-mail').fill(owner?.email ?? '');
  await page.getByLabel('Password', { exact: true }).fill(owner?.password ?? '');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Errors' }).waitFor();
}

/** Collects all errors and policy violations of the page. */
function collectProblems(page: Page): string[] {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    // Browsers request /favicon.ico if the page names no icon.
    if (message.type() === 'error' && !message.location().url.endsWith('/favicon.ico')) problems.push(message.text());
  });
  return problems;
}
