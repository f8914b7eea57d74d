import { readFile } from 'node:fs/promises';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { type MockService, serviceFixture } from '@service/mocks/playwright';
import '@service/mocks/vitest';
import { serviceMatchers } from '@service/mocks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasChromium, launchChromium } from '../../../test/test-utils/chromium.mjs';

expect.extend(serviceMatchers);

/** Throws in a task of the page. */
const fail = 'setTimeout(() => window.total())';

describe.skipIf(!hasChromium)('the fixture for Playwright', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchChromium();
  });

  afterAll(() => browser?.close());

  test('gives a page its own service', async () => {
    await useFixture(browser, async (service, context) => {
      const page = await openShop(context, service);
      await page.evaluate(fail);
      await expect(service).toHaveReportedOnce({ type: 'TypeError', message: /total/, url: 'http://shop.test/' });
      await expect(service).toHaveGroups(1);
    });
  });

  test('a page gets the responses of the scenarios', async () => {
    await useFixture(browser, async (service, context) => {
      const page = await openShop(context, service);
      const warning = page.waitForEvent('console', (message) => message.type() === 'warning');
      service.quotaExhausted();
      await page.evaluate(fail);
      expect((await warning).text()).toMatch(/^\[ServiceSDK\]/);
      expect(service.rejected).toEqual([expect.objectContaining({ status: 429 })]);
    });
  });

  test('also applies to tests that do not name it', () => {
    expect(serviceFixture().service[1]).toEqual({ auto: true });
  });

  test('a test fails if its page reports what it does not expect', async () => {
    const unexpected = useFixture(browser, async (service, context) => {
      const page = await openShop(context, service);
      const sent = page.waitForResponse(`${service.endpoint}/api/v1/errors`);
      await page.evaluate(fail);
      await sent;
    });
    await expect(unexpected).rejects.toThrow(/does not expect:\n {2}1\. TypeError: .*total/);
  });
});

/** Runs a test in a new context, as Playwright does. */
async function useFixture(
  browser: Browser,
  run: (service: MockService, context: BrowserContext) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext();
  try {
    const [runFixture] = serviceFixture().service;
    await runFixture({ context }, (service) => run(service, context));
  } finally {
    await context.close();
  }
}

async function openShop(context: BrowserContext, { apiKey, endpoint }: MockService): Promise<Page> {
  const sdk = await readFile(new URL('../../browser/dist/index.iife.js', import.meta.url), 'utf8');
  const start = `ServiceSDK.init(${JSON.stringify({ apiKey, endpoint })})`;
  const body = `<!doctype html><title>Shop</title><script>${sdk}</script><script>${start}</script>`;
  await context.route('http://shop.test/', (route) => route.fulfill({ contentType: 'text/html', body }));
  const page = await context.newPage();
  await page.goto('http://shop.test/');
  return page;
}
