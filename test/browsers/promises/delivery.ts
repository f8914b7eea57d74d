import { expect } from 'vitest';
import type { TestContext } from '../test-context.ts';
import type { SdkPromise } from '../sdk-promise.ts';

export const leaving: SdkPromise = {
  promise: 'An error just before the page is left is delivered',
  cases: {
    'a link that is followed in the same task': async ({ open, sink, site, tab }) => {
      const next = site.add({ 'index.html': '<!doctype html><title>Next</title>' });
      await open({
        html: `<a href="${next}">Leave</a>`,
        script: () => {
          document.querySelector('a')?.addEventListener('click', function leave() {
            throw new Error('on the way out');
          });
        },
      });
      await tab.click('a');
      // The report may arrive before the next page has loaded.
      await expect.poll(() => tab.evaluate('document.title').catch(String)).toBe('Next');
      expect((await sink.reports(1)).map(({ message }) => message)).toEqual(['on the way out']);
    },

    'a pagehide handler, added before or after init()': async ({ open, sink, site, tab }) => {
      await open({
        before: () =>
          addEventListener('pagehide', () => {
            throw new Error('hidden early');
          }),
        script: () =>
          addEventListener('pagehide', () => {
            throw new Error('hidden late');
          }),
      });
      await tab.goto(site.add({ 'index.html': '<!doctype html><title>Next</title>' }));
      const messages = (await sink.reports(2)).map(({ message }) => message);
      expect(messages.toSorted()).toEqual(['hidden early', 'hidden late']);
    },
  },
};

export const largeReports: SdkPromise = {
  promise: '8 simultaneous reports of 30 KB are all delivered, though keepalive allows only 64 KiB',
  cases: {
    'while the page stays open': async ({ open, sink }) => {
      const page = await open({ script: fillBreadcrumbs });
      await page.run(() => {
        for (let count = 1; count <= 8; count++) ServiceSDK.captureException(new Error(`large ${count}`));
      });
      const reports = await sink.reports(8);
      await page.flush();
      const messages = reports.map(({ message }) => message);
      expect(messages.toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((count) => `large ${count}`));
      expect(sink.posts()).toHaveLength(8);
      for (const { body } of sink.posts()) expect(body.length).toBeGreaterThan(30_000);
      expect(await page.warnings()).toEqual([]);
    },
    // Browsers count the keepalive requests of the page before, too.
    'while reports of the page before have no response yet': async ({ open, page, sink }) => {
      let respond = (): void => {};
      const released = new Promise<void>((resolve) => (respond = resolve));
      sink.response = () => released.then(() => ({ status: 200 }));
      for (const name of ['before', 'after']) {
        await open({ script: fillBreadcrumbs });
        await page.run((message) => {
          ServiceSDK.setMetadata(
            Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`key${index}`, index])),
          );
          for (let count = 1; count <= 4; count++) ServiceSDK.captureException(new Error(`${message} ${count}`));
        }, name);
        if (name === 'before') await sink.reports(4);
      }
      await sink.reports(8).finally(respond);
      await page.flush();
      expect(await page.warnings()).toEqual([]);
      expect(sink.posts()).toHaveLength(8);
    },
  },
};

/** Records breadcrumbs of about 500 bytes each, so that a report takes 30 KB. */
function fillBreadcrumbs(): void {
  for (let step = 0; step < 64; step++) {
    const text = (part: number): string => `step ${step}, part ${part}: `.padEnd(200, 'a word and another ');
    console.log(text(1), text(2));
  }
}

export const offline: SdkPromise = {
  promise: 'Reports are kept while offline, and sent once when the network returns',
  cases: {
    'three errors while offline': async (context) => {
      const { open, page, sink } = context;
      await open({ before: fakeNetwork });
      await whileOffline(context, async () => {
        await page.run(async () => {
          for (const name of ['one', 'two', 'three']) ServiceSDK.captureException(new Error(name));
          await ServiceSDK.flush(500);
        });
        expect(sink.posts()).toEqual([]);
      });

      const reports = await sink.reports(3);
      expect(reports.map(({ message }) => message).toSorted()).toEqual(['one', 'three', 'two']);
      await page.flush();
      expect(sink.posts()).toHaveLength(3);
      expect(new Set(reports.map(({ event_id: id }) => id)).size).toBe(3);
    },
  },
};

/** Runs `act` without a network. Restores the network even if `act` fails: other cases need it. */
async function whileOffline({ tab, page }: TestContext, act: () => Promise<void>): Promise<void> {
  // An engine cannot restore a network that the machine does not have.
  const hasNoNetwork = await page.run(() => self.hasNoNetwork);
  const setOffline =
    tab.setOffline && !hasNoNetwork
      ? tab.setOffline
      : (isOffline: boolean) => page.run((value) => self.fakeOffline(value), isOffline);
  await setOffline(true);
  try {
    await act();
  } finally {
    await setOffline(false);
  }
}

/** Simulates a missing network in engines that cannot switch it off: requests fail, and the page gets the event. */
function fakeNetwork(): void {
  const { fetch } = self;
  let isOffline = false;
  self.fetch = async (...args) => {
    if (isOffline) throw new TypeError('Load failed');
    return fetch(...args);
  };
  self.fakeOffline = (value) => {
    isOffline = value;
    Object.defineProperty(Navigator.prototype, 'onLine', { configurable: true, get: () => !isOffline });
    dispatchEvent(new Event(value ? 'offline' : 'online'));
  };
}

declare global {
  var fakeOffline: (value: boolean) => void;
}
