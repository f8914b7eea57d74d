import { expect } from 'vitest';
import type { Scene } from '../scene.ts';
import type { Promised } from './promised.ts';

export const leaving: Promised = {
  promise: 'An error just before the page is left arrives',
  cases: {
    'by a link that is followed in the same task': async ({ open, sink, site, tab }) => {
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
      // Its report may be here before the next page is.
      await expect.poll(() => tab.evaluate('document.title').catch(String), { timeout: 8_000 }).toBe('Next');
      expect((await sink.reports(1)).map(({ message }) => message)).toEqual(['on the way out']);
    },

    'in a pagehide handler, set before and after init()': async ({ open, sink, site, tab }) => {
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

export const largeReports: Promised = {
  promise: '8 reports of 30 KB at once all arrive, though a page may keep only 64 KiB alive',
  cases: {
    'while the page stays': async ({ open, sink }) => {
      const page = await open({ script: fillTrail });
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
  },
};

/** Breadcrumbs of about 500 bytes each make a report of 30 KB. */
function fillTrail(): void {
  for (let step = 0; step < 64; step++) {
    const words = (part: number): string => `step ${step}, part ${part}: `.padEnd(200, 'a word and another ');
    console.log(words(1), words(2));
  }
}

export const offline: Promised = {
  promise: 'Offline, reports are kept, and sent once when the network is back',
  cases: {
    'three errors while offline': async (scene) => {
      const { open, page, sink } = scene;
      await open({ before: pretendNetwork });
      await whileOffline(scene, async () => {
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

/** Takes the network away, and gives it back whatever comes of it: other cases need it. */
async function whileOffline({ tab, page }: Scene, act: () => Promise<void>): Promise<void> {
  // A network that is not there can't be given back.
  const hasNoNetwork = await page.run(() => self.hasNoNetwork);
  const setOffline =
    tab.setOffline && !hasNoNetwork
      ? tab.setOffline
      : (isOffline: boolean) => page.run((value) => self.pretendOffline(value), isOffline);
  await setOffline(true);
  try {
    await act();
  } finally {
    await setOffline(false);
  }
}

/** What a page sees of it, where tests can't take the network away: its requests fail, and it is told. */
function pretendNetwork(): void {
  const { fetch } = self;
  let isOffline = false;
  self.fetch = async (...args) => {
    if (isOffline) throw new TypeError('Load failed');
    return fetch(...args);
  };
  self.pretendOffline = (value) => {
    isOffline = value;
    Object.defineProperty(Navigator.prototype, 'onLine', { configurable: true, get: () => !isOffline });
    dispatchEvent(new Event(value ? 'offline' : 'online'));
  };
}

declare global {
  var pretendOffline: (value: boolean) => void;
}
