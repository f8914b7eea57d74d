import { hasChromium, launchChromium, newPage } from '../test-utils/chromium.mjs';
import type { Engine } from './engine.ts';

/** Chromium, controlled over the DevTools protocol. */
export const chromium: Engine = {
  name: 'Chromium',
  missing: hasChromium ? undefined : 'chromium',
  async launch() {
    const browser = await launchChromium();
    const page = await newPage(browser);
    page.setDefaultTimeout(60_000);
    const devtools = await page.context().newCDPSession(page);
    return {
      version: `Chromium ${browser.version()}`,
      async goto(url) {
        await page.goto(url);
      },
      async reload() {
        await page.reload();
      },
      evaluate: (expression) => page.evaluate<string>(expression),
      // page.click() would inspect the element first, and fail on an element with clobbered properties.
      async click(selector) {
        const [x = 0, y = 0] = await page.evaluate((wanted) => {
          const found = document.querySelector(wanted);
          found?.scrollIntoView();
          const { left, width, top, height } = found?.getBoundingClientRect() ?? new DOMRect();
          return [left + width / 2, top + height / 2];
        }, selector);
        await page.mouse.click(x, y);
      },
      setOffline: (isOffline) => page.context().setOffline(isOffline),
      async heapBytes() {
        await devtools.send('HeapProfiler.collectGarbage');
        return (await devtools.send('Runtime.getHeapUsage')).usedSize;
      },
      close: () => browser.close(),
    };
  },
};
