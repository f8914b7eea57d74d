import type { GroupDetails } from '@service/protocol';
import { beforeAll, describe, expect, test } from 'vitest';
import { hasChromium } from '../test-utils/chromium.mjs';
import { assertScreen } from './assert-screen.ts';
import { useDashboard } from './context.ts';

const at = Date.parse('2026-11-20T09:30:00.000Z');

/** Frames of code that is not minified, with library frames between them. */
const frames = [
  'at total (https://shop.example/src/cart.js:12:5)',
  'at lib1 (https://cdn.example/lib.js:1:1)',
  'at lib2 (https://cdn.example/lib.js:1:2)',
  'at lib3 (https://cdn.example/lib.js:1:3)',
  ...Array.from({ length: 30 }, (_, index) => `at handler${index} (https://shop.example/src/own.js:${index + 1}:3)`),
];

const breadcrumb = (secondsBefore: number, type: string, data: object): object => ({
  timestamp: new Date(at - secondsBefore * 1_000).toISOString(),
  type,
  category: type,
  data,
});

describe.skipIf(!hasChromium)('the screen of an error', () => {
  const dashboard = useDashboard();
  let path: string;
  beforeAll(async () => {
    const { api_key } = await dashboard.createProject('Shop');
    const { error_group_id } = await dashboard.report(api_key, {
      type: 'TypeError',
      message: Array.from({ length: 60 }, (_, line) => `Line ${line} of a message that is long`).join('\n'),
      stacktrace: `TypeError: long\n${frames.map((frame) => `    ${frame}`).join('\n')}`,
      url: 'https://shop.example/cart?step=2',
      environment: 'production',
      release: '2.4.1',
      user: { id: 'u-1', name: 'Ada <b>Lovelace</b>', email: 'ada@shop.example' },
      tags: { tenant: 'acme' },
      device: { viewport: '1280x720', language: 'en-GB', connection: '4g' },
      timestamp: new Date(at).toISOString(),
      breadcrumbs: [
        breadcrumb(3_725, 'navigation', { from: '/', to: '/cart' }),
        breadcrumb(2_400, 'ui', { selector: '#one' }),
        breadcrumb(170.4, 'http', { method: 'GET', url: 'https://shop.example/slow', status: 200 }),
        breadcrumb(130, 'http', {
          method: 'POST',
          url: 'https://shop.example/pay',
          status: 500,
          response: { reason: 'figs' },
        }),
        breadcrumb(125, 'ui', { selector: '#two' }),
        breadcrumb(101, 'ui', { selector: '#three' }),
        breadcrumb(0.3, 'ui', { selector: '#pay' }),
      ],
    });
    path = `/groups/${error_group_id}`;
  });

  test('shows the chain of a Python error, with qualified names, source lines and variables', async () => {
    const { api_key } = await dashboard.createProject('Python');
    const file = '/srv/shop/shop/cart.py';
    const context = [
      { line: 6, text: 'for row in rows:' },
      { line: 7, text: '    total += row["price"]' },
    ];
    const own = { function: 'Cart.total', file, module: 'shop.cart', line: 7, in_app: true, context };
    const library = { function: 'run', file: '/usr/lib/python3.13/threading.py', line: 3, in_app: false };
    const { error_group_id } = await dashboard.report(api_key, {
      message: 'no total',
      exceptions: [
        {
          type: 'shop.CartError',
          message: 'no total',
          frames: [{ ...own, variables: { row: '{}' } }, library, library],
        },
        { type: 'KeyError', message: "'price'", relation: 'cause', frames: [own] },
        { type: 'OSError', message: 'no disk', relation: 'context', frames: [own] },
      ],
    });
    const page = await dashboard.open(`/groups/${error_group_id}`);
    const failing = page.getByRole('region', { name: 'Failing line' });
    await failing.getByText('Cart.total').waitFor();
    expect(await failing.locator('.failing').textContent()).toContain('total += row["price"]');
    const stack = page.locator('#stack');
    expect(await stack.locator('.badge').count()).toBe(0);
    await stack.getByRole('button', { name: 'Show 2 library frames' }).waitFor();
    expect(await stack.locator('.cause h3').allTextContents()).toEqual([
      "Caused by: KeyError: 'price'",
      'While handling: OSError: no disk',
    ]);
    expect(await stack.locator('.cause .frames .function').allTextContents()).toEqual(['Cart.total', 'Cart.total']);
    await stack.locator('summary').first().click();
    expect(await stack.locator('.variables').first().textContent()).toBe('row{}');
    expect(await stack.getByText('In the bundle').count()).toBe(0);
    await assertScreen(page);
  });

  test('explains why the source of code that is not minified is missing, and asks for no source map', async () => {
    const page = await dashboard.open(path);
    const failing = page.getByRole('region', { name: 'Failing line' });
    await failing.getByText('This file is not minified').waitFor();
    expect(await page.locator('.steps').count()).toBe(0);
    await page.locator('.frames summary').first().click();
    await page.locator('.frames li').first().getByText('This file is not minified').waitFor();
  });

  test('shows URL, release, user, device and tags of the report', async () => {
    const page = await dashboard.open(path);
    const context = page.locator('#context');
    await context.waitFor();
    const rows = await context.locator('dl > div').allTextContents();
    expect(rows).toEqual(
      expect.arrayContaining([
        'URLhttps://shop.example/cart?step=2',
        'Environmentproduction',
        'Release2.4.1',
        'Useru-1',
        'NameAda <b>Lovelace</b>',
        'E-mailada@shop.example',
        'Window1280x720',
        'Languageen-GB',
        'Network4g',
        `Client time${new Date(at).toISOString()}`,
        'tenantacme',
      ]),
    );
    await assertScreen(page);
  });

  test('shows a text of several lines in the metadata with its line breaks, and everything else as JSON', async () => {
    const { api_key } = await dashboard.createProject('React');
    const componentStack = '\n    at Cart (src/cart.tsx:3:1)\n    at App (src/app.tsx:9:1)';
    const { error_group_id } = await dashboard.report(api_key, { metadata: { cart: { pieces: 3 }, componentStack } });
    const page = await dashboard.open(`/groups/${error_group_id}`);
    await page.getByRole('heading', { name: 'componentStack' }).waitFor();
    expect(await page.getByRole('region', { name: 'componentStack' }).textContent()).toBe(componentStack.slice(1));
    expect(await page.getByRole('region', { name: 'Metadata' }).textContent()).toBe(
      JSON.stringify({ cart: { pieces: 3 } }, null, 2),
    );
    await assertScreen(page);
  });

  test('calls a message a message, and does not guess why it has no stack trace', async () => {
    const { api_key } = await dashboard.createProject('Messages');
    const { error_group_id } = await dashboard.report(api_key, {
      message: 'The stock is low',
      level: 'info',
      breadcrumbs: [breadcrumb(1, 'ui', { selector: '#order' })],
      timestamp: new Date(at).toISOString(),
    });
    const page = await dashboard.open(`/groups/${error_group_id}`);
    await page.getByText('The report has no stack trace.').waitFor();
    expect(await page.locator('.breadcrumbs .end').textContent()).toBe('0.0 smessageThis message');
    expect(await page.title()).toBe('Message: The stock is low · Service');
    await page.goto(dashboard.url + path);
    await page.locator('.breadcrumbs .end', { hasText: 'This error' }).waitFor();
  });

  test('folds library frames, and shows twenty rows of the stack trace', async () => {
    const page = await dashboard.open(path);
    const rows = page.locator('.frames > li');
    await rows.first().waitFor();
    expect(await rows.count()).toBe(20);
    expect(await rows.nth(1).textContent()).toBe('Show 3 library frames');
    await page.getByRole('button', { name: 'Show 3 library frames' }).click();
    expect(await rows.nth(2).textContent()).toContain('lib1');
    expect(await page.getByRole('button', { name: 'Hide 3 library frames' }).getAttribute('aria-expanded')).toBe(
      'true',
    );
    const room = await page.getByRole('button', { name: 'Hide 3 library frames' }).evaluate((button) => {
      const text = document.createRange();
      text.selectNodeContents(button);
      return text.getBoundingClientRect().left - button.getBoundingClientRect().left;
    });
    expect(room, 'between the text and the focus ring').toBeGreaterThan(4);
    await page.getByRole('button', { name: 'Show 12 more frames' }).click();
    await page.getByText('handler29').waitFor();
    expect(await rows.count()).toBe(frames.length + 1);
  });

  test('shows exact times and the data of a breadcrumb, and filters breadcrumbs', async () => {
    const page = await dashboard.open(path, await dashboard.newBrowser({ timezoneId: 'America/New_York' }));
    const times = page.locator('.breadcrumbs .when');
    await page.getByRole('button', { name: 'Show 2 earlier' }).click();
    expect(await times.allTextContents()).toEqual([
      '−1:02:05 h',
      '−40:00 min',
      '−2:50 min',
      '−2:10 min',
      '−2:05 min',
      '−1:41 min',
      '−0.3 s',
      '0.0 s',
    ]);
    await page.getByLabel('Filter breadcrumbs').selectOption('Failed (1)');
    expect(await times.allTextContents()).toEqual(['−2:10 min', '0.0 s']);
    await page.getByText('POST https://shop.example/pay').click();
    await page.locator('.breadcrumbs').getByText('"reason": "figs"').waitFor();
    await page.getByText('2026-11-20T09:27:50.000Z').waitFor();
    expect(await page.locator('.breadcrumbs dd').first().textContent()).toBe('Nov 20, 2026, 4:27:50.000 AM');
    await page.getByLabel('Filter breadcrumbs').selectOption('ui (4)');
    expect(await page.locator('.breadcrumbs > li').count()).toBe(5);
    await assertScreen(page);
  });

  test('cuts off a long message between two lines, and shows the full message on demand', async () => {
    const page = await dashboard.open(path);
    const message = page.locator('.message');
    await page.getByRole('button', { name: 'Show full message' }).waitFor();
    const { height, lineHeight } = await message.evaluate((element) => ({
      height: element.clientHeight,
      lineHeight: Number.parseFloat(getComputedStyle(element).lineHeight),
    }));
    expect(Math.abs(height / lineHeight - 8)).toBeLessThan(0.1);
    await assertScreen(page);
    await page.getByRole('button', { name: 'Show full message' }).click();
    expect(await message.evaluate((element) => element.scrollHeight - element.clientHeight)).toBe(0);
    await page.getByRole('button', { name: 'Show less' }).click();
    await page.getByRole('button', { name: 'Show full message' }).waitFor();
  });

  test('prints the full message, and how many frames and breadcrumbs are not printed', async () => {
    const page = await dashboard.open(path);
    await page.getByRole('button', { name: 'Show full message' }).waitFor();
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.shown').isVisible()).toBe(true);
    const lines = await page.locator('.message').evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      const { height } = element.getBoundingClientRect();
      return { cut: range.getBoundingClientRect().height - height, count: height };
    });
    expect(lines.cut).toBeLessThanOrEqual(1);
    expect(lines.count).toBeGreaterThan(60 * 16);
    expect(await page.getByRole('button').filter({ visible: true }).allTextContents()).toEqual([
      'Show 3 library frames',
      'Show 12 more frames',
      'Show 2 earlier',
    ]);
    await page.emulateMedia({ media: 'screen' });
    await page.getByLabel('Filter breadcrumbs').selectOption('Failed (1)');
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByLabel('Filter breadcrumbs').isVisible()).toBe(true);
  });

  test('prints the culprit below a short message', async () => {
    const { api_key } = await dashboard.createProject('Prints');
    const { error_group_id } = await dashboard.report(api_key, {
      stacktrace: 'Error: It broke\n    at pay (https://shop.example/src/pay.js:3:9)',
    });
    const page = await dashboard.open(`/groups/${error_group_id}`);
    await page.locator('.culprit').waitFor();
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.culprit').isVisible()).toBe(true);
  });

  test('keeps the list of reports open while the user goes through them', async () => {
    const { api_key } = await dashboard.createProject('Reports');
    for (let time = 0; time < 12; time++) await dashboard.report(api_key);
    const { error_group_id } = await dashboard.report(api_key);
    const page = await dashboard.open(`/groups/${error_group_id}?reports=2`);
    const links = page.locator('.reports a');
    for (const index of [1, 2]) {
      await links.nth(index).click();
      await page.locator(`.reports li:nth-child(${index + 1}) a[aria-current=page]`).waitFor();
      expect(await links.count()).toBe(3);
    }
    await page.getByText(/^Report #\d+/).waitFor();
  });

  test('deletes an error after a confirmation, returns to the list, and says so in other tabs', async () => {
    const { api_key, id } = await dashboard.createProject('Deletions');
    const report = async (message: string): Promise<number> =>
      (await dashboard.report(api_key, { type: 'Error', message })).error_group_id;
    const kept = await report('The figs are late');
    const deleted = await report('The user is known');
    // The other tab loads the error again, which no longer exists.
    const context = await dashboard.newBrowser({ expectedErrors: /status of 404/ });
    const other = await dashboard.open(`/groups/${deleted}`, context);
    await other.getByRole('button', { name: 'Resolve' }).waitFor();
    const page = await dashboard.open(`/?project=${id}`);
    await page.getByRole('link', { name: 'The user is known' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: `Delete #${deleted}?` });
    await assertScreen(page);
    const bottom = await dialog.locator('header').evaluate((element) => element.getBoundingClientRect().bottom);
    const top = await dialog.locator('p').evaluate((element) => element.getBoundingClientRect().top);
    expect(top, 'the text is below the title').toBeGreaterThan(bottom);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Delete');

    await page.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText(`Deleted #${deleted}.`).waitFor();
    await page.getByText('1 error', { exact: true }).waitFor();
    expect(new URL(page.url()).search).toBe(`?project=${id}`);
    expect(await page.locator('[data-group]').getAttribute('data-group')).toBe(`${kept}`);
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
    await page.goBack();
    expect(new URL(page.url()).pathname).toBe('/');

    await other.getByRole('heading', { name: 'Page not found' }).waitFor();
    expect(await other.getByText('The user is known').count()).toBe(0);
  });

  test('`c` moves the focus into the copy menu, and Escape restores it', async () => {
    const page = await dashboard.open(path);
    await page.getByRole('heading', { name: 'TypeError' }).waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim());
    await page.keyboard.press('c');
    await expect.poll(focused).toBe('As Markdown');
    await page.keyboard.press('Escape');
    await expect.poll(focused).toBe('Copy c');
  });

  test('starts on a phone with the failing line, the stack trace and the breadcrumbs', async () => {
    const page = await dashboard.open(path, await dashboard.newBrowser({ viewport: { width: 390, height: 844 } }));
    await page.locator('.breadcrumbs').waitFor();
    const top = (selector: string) => page.locator(selector).evaluate((element) => element.getBoundingClientRect().top);
    const tops = [];
    for (const selector of ['.failing-line', '#stack', '#breadcrumbs', '.facts', '.tags', '#explanation'])
      tops.push(await top(selector));
    expect(tops).toEqual(tops.toSorted((a, b) => a - b));
  });

  test('keeps a report on the screen that is no longer stored when the error is loaded again', async () => {
    const { latest_report } = await dashboard.api<GroupDetails>('GET', `/errors${path.replace('/groups', '')}`);
    const reportPath = `/reports/${latest_report?.id}`;
    const page = await dashboard.open(
      path + reportPath,
      await dashboard.newBrowser({ expectedErrors: /status of 404/ }),
    );
    await page.locator('#context').waitFor();
    await page.route(`**/api/v1/errors/*${reportPath}`, (route) =>
      route.continue({ url: route.request().url().replace(reportPath, '/reports/999999999') }),
    );
    await page.getByRole('button', { name: 'Resolve' }).click();
    await page.getByRole('button', { name: 'Reopen' }).waitFor();
    expect(await page.locator('#context').textContent()).toContain('https://shop.example/cart?step=2');
    expect(await page.getByRole('heading', { name: 'Page not found' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Reopen' }).click();
    await page.getByRole('button', { name: 'Resolve' }).waitFor();

    // A tab that has not shown the report has nothing to show.
    await page.reload();
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  });
});
