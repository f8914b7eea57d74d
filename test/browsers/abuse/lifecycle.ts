import { expect } from 'vitest';
import type { SdkPromise } from '../sdk-promise.ts';
import { abuse } from './abuse-case.ts';

/** Runs in the page before init(): stops the clock, and lets the page move it forward by `passTime(ms)`. */
function controlClock(): void {
  let now = Date.now();
  Date.now = () => now;
  self.passTime = (ms) => void (now += ms);
}

export const lifecycle: SdkPromise = {
  promise: 'init(), flush() and close() in any order, and pages that come and go, lose and repeat no report',
  cases: {
    'init() twice': abuse({
      script: ({ options }) => {
        ServiceSDK.init(options);
        throw new Error('once');
      },
      reports: ['once'],
      uncaught: ['once'],
      warnings: [/already called.*W1/],
    }),
    'everything before init()': abuse({
      options: null,
      script: async () => {
        ServiceSDK.addBreadcrumb({ message: 'early' });
        ServiceSDK.setUser({ id: 'early' });
        ServiceSDK.setTag('early', 1);
        ServiceSDK.setMetadata({ early: true });
        ServiceSDK.withScope((scope) => scope.setLevel('info'));
        const ids = [ServiceSDK.captureException(new Error('early')), ServiceSDK.captureMessage('early')];
        self.results = [...ids, await ServiceSDK.flush(), await ServiceSDK.close()];
      },
      isSilent: true,
      warnings: [/Call init\(\) first.*W3/],
      check: async (_, { page }) => {
        expect(await page.run(() => self.results)).toEqual([null, null, true, true]);
      },
    }),
    'close() sends what was captured in the same task': abuse({
      script: async () => {
        ServiceSDK.captureException(new Error('in time'));
        self.results = [await ServiceSDK.close(60_000), ServiceSDK.captureException(new Error('too late'))];
      },
      reports: ['in time'],
      warnings: [/W3/],
      isSilent: true,
      check: async (_, { page }) => {
        expect(await page.run(() => self.results)).toEqual([true, null]);
      },
    }),
    'close() twice, then init()': abuse({
      script: ({ options }) => {
        void ServiceSDK.close();
        void ServiceSDK.close();
        ServiceSDK.init(options);
        throw new Error('started again');
      },
      reports: ['started again'],
      uncaught: ['started again'],
    }),
    '12 tests of one error, each with init() and close()': abuse({
      options: null,
      script: async ({ options }) => {
        for (let count = 0; count < 12; count++) {
          ServiceSDK.init(options);
          ServiceSDK.captureException(new Error('the same error'));
          await ServiceSDK.close(60_000);
        }
      },
      reports: Array.from({ length: 12 }, () => 'the same error'),
      isSilent: true,
    }),
    'close() forgets user, tags, metadata and breadcrumbs': abuse({
      script: async ({ options }) => {
        ServiceSDK.setUser({ id: 'u_1' });
        ServiceSDK.setTag('plan', 'pro');
        ServiceSDK.setMetadata({ cart: 3 });
        console.log('before');
        await ServiceSDK.close();
        ServiceSDK.init(options);
        ServiceSDK.captureException(new Error('after'));
      },
      reports: ['after'],
      check: ([report]) => {
        for (const field of ['user', 'tags', 'metadata', 'breadcrumbs']) expect(report).not.toHaveProperty(field);
      },
    }),
    'close() below and above patches of the page': abuse({
      options: null,
      script: async ({ options }) => {
        const { fetch } = window;
        const { log } = console;
        ServiceSDK.init(options);
        const patched = window.fetch;
        const calls: string[] = [];
        window.fetch = (...args) => {
          calls.push('page');
          return patched(...args);
        };
        await ServiceSDK.close();
        await window.fetch('watch.js');
        ServiceSDK.init(options);
        await window.fetch('watch.js');
        await ServiceSDK.close();
        window.fetch = patched;
        await window.fetch('watch.js');
        self.results = [calls.length, console.log === log];
        window.fetch = fetch;
        ServiceSDK.init(options);
      },
      check: async (_, { page }) => {
        expect(await page.run(() => self.results)).toEqual([2, true]);
      },
    }),
    'flush() with odd time limits': abuse({
      script: async () => {
        self.results = [];
        for (const limit of [0, -1, Number.NaN, Infinity, 'soon', null, 2 ** 40]) {
          ServiceSDK.captureMessage(`limit ${String(limit)}`);
          self.results.push(typeof (await ServiceSDK.flush(limit as never)));
        }
      },
      reports: [/limit 0/, /limit -1/, /limit NaN/, /limit Infinity/, /limit soon/, /limit null/, /limit 1099/],
      check: async (_, { page }) => {
        expect(new Set(await page.run(() => self.results))).toEqual(new Set(['boolean']));
      },
    }),
    'flush() with an infinite limit waits': abuse({
      response: () => new Promise((resolve) => setTimeout(() => resolve({ status: 200 }), 100)),
      script: async () => {
        ServiceSDK.captureMessage('slow');
        self.results = [await ServiceSDK.flush(Infinity)];
      },
      reports: ['slow'],
      check: async (_, { page }) => {
        expect(await page.run(() => self.results)).toEqual([true]);
      },
    }),
    'flush() while the server has not answered yet': async (context) => {
      let respond = (): void => {};
      const released = new Promise<void>((resolve) => (respond = resolve));
      const run = abuse({
        response: async (index) => {
          if (index === 0) await released;
          return { status: 200 };
        },
        script: () => ServiceSDK.captureMessage('slow'),
        act: async ({ page }) => {
          expect(await page.run(() => ServiceSDK.flush(50))).toBe(false);
          const isFlushed = page.run(() => ServiceSDK.flush(60_000));
          respond();
          expect(await isFlushed).toBe(true);
        },
        reports: ['slow'],
      });
      await run(context).finally(respond);
    },
    'after a 429, neither close() nor init() sends again': abuse({
      response: () => ({ status: 429 }),
      script: async ({ options }) => {
        ServiceSDK.captureMessage('over the quota');
        await ServiceSDK.close(60_000);
        ServiceSDK.init(options);
        ServiceSDK.captureMessage('again');
        await ServiceSDK.flush();
      },
      reports: ['over the quota'],
      warnings: [/quota used up \(429\).*W9/],
      isSilent: true,
    }),
    'init() and a message in a pagehide handler': abuse({
      options: null,
      script: ({ options }) => {
        addEventListener('pagehide', () => {
          ServiceSDK.init(options);
          ServiceSDK.captureMessage('while leaving');
        });
        dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
      },
      reports: ['while leaving'],
    }),
    'a page that is hidden and comes back from the back/forward cache': abuse({
      script: () => {
        ServiceSDK.captureMessage('before');
        dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
        ServiceSDK.captureMessage('hidden');
        dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
        const error = new Error('shown again');
        ServiceSDK.captureException(error);
        throw error;
      },
      reports: ['before', 'hidden', 'shown again'],
      uncaught: ['shown again'],
    }),
    'a page that was left and is gone back to': abuse({
      script: () => console.log('begun'),
      act: async ({ tab, page }) => {
        const url = await page.run(() => location.href);
        await page.run(() => ServiceSDK.captureMessage('before'));
        await tab.goto(new URL('/sdk/integrity.json', url).href);
        await tab.evaluate(`String(setTimeout(() => history.back()))`).catch(() => {});
        await expect
          .poll(() => tab.evaluate('location.pathname + document.readyState').catch(String))
          .toMatch(/\d\/complete$/);
      },
      reports: ['before'],
    }),
    'an error that returns after five seconds is sent again with the number of its repeats': abuse({
      before: controlClock,
      script: async () => {
        for (let count = 0; count < 6; count++) {
          if (count === 5) self.passTime(6_000);
          await new Promise<void>((resolve) => {
            setTimeout(() => {
              // A text, because the stacks of some engines also contain the earlier tasks.
              ServiceSDK.captureException('again and again');
              resolve();
            });
          });
        }
      },
      reports: ['again and again', 'again and again'],
      // Each report is a request. On a busy machine, the second one can arrive first.
      check: (reports) =>
        expect(new Set(reports.map(({ metadata }) => metadata?.repeated))).toEqual(new Set([undefined, 4])),
    }),
    '10 errors, and the same 10 eleven seconds later': abuse({
      before: controlClock,
      script: async () => {
        const failAll = async (): Promise<void> => {
          for (let count = 0; count < 10; count++) ServiceSDK.captureException(new Error(`error ${count}`));
          await ServiceSDK.flush();
          self.passTime(11_000);
        };
        await failAll();
        await failAll();
      },
      reports: [...Array(20).keys()].map((index) => `error ${index % 10}`),
    }),
    'a clock that goes back an hour': abuse({
      before: controlClock,
      script: async () => {
        ServiceSDK.captureMessage('before');
        self.passTime(-3_600_000);
        ServiceSDK.captureMessage('after');
        ServiceSDK.captureMessage('after that');
      },
      reports: ['before', 'after', 'after that'],
    }),
  },
};

declare global {
  /** The results of the page's script. */
  var results: unknown[];
  var passTime: (ms: number) => void;
}
