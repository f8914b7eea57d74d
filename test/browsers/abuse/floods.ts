/* oxlint-disable typescript/only-throw-error -- pages throw anything */
import { expect } from 'vitest';
import type { SdkPromise } from '../sdk-promise.ts';
import { abuse } from './abuse-case.ts';

/** Runs in the page before init(). On a busy machine a case takes seconds, and these would allow more errors. */
function stopClock(): void {
  const now = Date.now();
  Date.now = () => now;
}

export const floods: SdkPromise = {
  promise: 'Floods of errors, rejections, requests and lines stay cheap, and are limited with one warning',
  cases: {
    '10,000 identical errors': abuse({
      before: stopClock,
      script: () => {
        for (let count = 0; count < 10_000; count++) ServiceSDK.captureException(new Error('again'));
      },
      reports: ['again'],
    }),
    '10,000 different errors': abuse({
      before: stopClock,
      script: () => {
        for (let count = 0; count < 10_000; count++) ServiceSDK.captureException(new Error(`error ${count}`));
      },
      reports: [...Array(10).keys()].map((index) => `error ${index}`),
      warnings: [/Too many errors.*W6/],
      isSilent: true,
    }),
    '10,000 primitives that are captured': abuse({
      before: stopClock,
      script: () => {
        for (let count = 0; count < 10_000; count++) ServiceSDK.captureException(count % 5);
      },
      reports: ['0', '1', '2', '3', '4'],
    }),
    '2,000 unhandled rejections': abuse({
      before: () => {
        const now = Date.now();
        Date.now = () => now;
        addEventListener('unhandledrejection', (event) => event.preventDefault());
      },
      script: () => {
        for (let count = 0; count < 2_000; count++) void Promise.reject(new Error('refused'));
      },
      act: ({ page }) => page.run(() => void (self.seen.uncaught.length = 0)),
      reports: ['refused'],
    }),
    'an error in a timer that repeats': abuse({
      before: stopClock,
      script: async () => {
        await new Promise<void>((resolve) => {
          let count = 0;
          const timer = setInterval(() => {
            if (++count === 20) {
              clearInterval(timer);
              resolve();
            }
            throw new Error('every millisecond');
          }, 1);
        });
      },
      reports: ['every millisecond'],
      uncaught: Array.from({ length: 20 }, () => 'every millisecond'),
    }),
    '100,000 lines of a console, and 90 navigations': abuse({
      before: () => {
        console.debug = () => {};
      },
      script: () => {
        for (let count = 0; count < 100_000; count++) console.debug('a line', count, { count });
        for (let count = 0; count < 90; count++) history.replaceState(null, '', `?step=${count}`);
        ServiceSDK.captureMessage('after the flood');
      },
      reports: ['after the flood'],
      check: ([report]) => expect(report?.breadcrumbs?.length).toBeLessThanOrEqual(64),
    }),
    '200 requests at once': abuse({
      script: async () => {
        await Promise.all(Array.from({ length: 200 }, async (_, index) => (await fetch(`watch.js?${index}`)).text()));
        ServiceSDK.captureMessage('after the flood');
      },
      reports: ['after the flood'],
    }),
    '10 reports of 60 KB at once': abuse({
      before: stopClock,
      script: () => {
        for (let count = 0; count < 10; count++) {
          ServiceSDK.captureException(new Error(`large ${count}`), { metadata: { text: 'a word '.repeat(9_000) } });
        }
      },
      reports: [...Array(10).keys()].map((index) => `large ${index}`),
      isSilent: true,
      warnings: [/W6/],
    }),
    'recursion through the console': abuse({
      script: () => {
        const { log } = console;
        let depth = 0;
        console.log = (...args) => {
          if (depth++ < 50) console.log('deeper');
          log(...args);
        };
        console.log('begun');
        ServiceSDK.captureMessage('logged');
      },
      reports: ['logged'],
    }),
    'a getter of metadata that captures': abuse({
      script: () => {
        let depth = 0;
        const metadata = {
          get again(): number {
            if (depth++ < 100) ServiceSDK.captureException('in a getter', { metadata });
            return 1;
          },
        };
        ServiceSDK.captureException(new Error('fails'), { metadata });
      },
      reports: ['fails', 'in a getter'],
    }),
  },
};
