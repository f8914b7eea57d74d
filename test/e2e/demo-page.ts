import type { Browser, Page, Request, Response } from 'playwright-core';
import { newPage } from '../test-utils/chromium.mjs';

/** The demo in a separate tab, and its effects. */
export interface DemoPage {
  page: Page;
  /** Every report that the page tried to send, in order. */
  requests: Request[];
  /** The SDK's lines in the console. */
  warnings: string[];
  /** Presses a button. Resolves with the server's response to the report. */
  report(button: string): Promise<Response>;
  /** Presses a button. Resolves when the page's own log has a new line, also if nothing is sent. */
  press(button: string): Promise<void>;
}

export async function openDemoPage(browser: Browser, url: string): Promise<DemoPage> {
  const page = await newPage(browser);
  const requests: Request[] = [];
  const warnings: string[] = [];
  page.on('request', (request) => {
    if (isReport(request)) requests.push(request);
  });
  page.on('console', (message) => {
    if (message.text().startsWith('[ServiceSDK]')) warnings.push(message.text());
  });
  await page.goto(url);
  return {
    page,
    requests,
    warnings,
    async report(button) {
      const [response] = await Promise.all([
        page.waitForResponse((received) => isReport(received.request())),
        page.click(`#${button}`),
      ]);
      return response;
    },
    async press(button) {
      const lines = page.locator('#log li');
      const before = await lines.count();
      await page.click(`#${button}`);
      await lines.nth(before).waitFor();
    },
  };
}

export function isReport(request: Request): boolean {
  return request.method() === 'POST' && request.url().endsWith('/api/v1/errors');
}
