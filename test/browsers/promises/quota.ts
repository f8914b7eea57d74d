import { expect } from 'vitest';
import type { SdkPromise } from '../sdk-promise.ts';

const exhausted = { status: 429, headers: { 'retry-after': '0' } };

export const quota: SdkPromise = {
  promise: 'After a 429 nothing is sent until the page is reloaded; Retry-After is ignored',
  cases: {
    'drops 100 later errors, and sends again after a reload': async ({ open, sink, tab }) => {
      sink.response = (index) => (index === 0 ? exhausted : { status: 200 });
      const page = await open({});
      await page.run(() => ServiceSDK.captureException(new Error('the first')));
      await sink.reports(1);
      await page.flush();
      await page.run(async () => {
        for (let count = 0; count < 100; count++) {
          setTimeout(() => {
            throw new Error(`thrown ${count}`);
          });
          ServiceSDK.captureException(new Error(`captured ${count}`));
          // Some errors come later, so that the rate limit alone would let them through.
          if (count % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 50));
        }
        return ServiceSDK.flush();
      });
      expect(sink.posts()).toHaveLength(1);
      expect(await page.warnings()).toEqual([expect.stringMatching(/quota/i)]);

      await tab.reload();
      await page.run(() => ServiceSDK.captureException(new Error('after the reload')));
      expect((await sink.reports(2)).map(({ message }) => message)).toEqual(['the first', 'after the reload']);
    },

    'close() and init() do not reset it': async ({ open, sink }) => {
      sink.response = () => exhausted;
      const page = await open({ options: null });
      await page.run((options) => {
        ServiceSDK.init(options);
        ServiceSDK.captureException(new Error('the first'));
      }, optionsOf(sink.endpoint));
      await sink.reports(1);
      await page.flush();
      await page.run((options) => {
        ServiceSDK.close();
        ServiceSDK.init(options);
        ServiceSDK.captureException(new Error('the second'));
      }, optionsOf(sink.endpoint));
      await page.flush();
      expect(sink.posts()).toHaveLength(1);
    },

    'reports in flight are not retried': async ({ open, sink }) => {
      const page = await open({});
      const warned = page.run(async () => {
        for (const name of ['one', 'two', 'three']) ServiceSDK.captureException(new Error(name));
        while (sdkLines.length === 0) await new Promise((wake) => setTimeout(wake, 10));
      });
      // All are in flight when the first is rejected. The others then fail with a status that is normally retried.
      sink.response = async (index) => {
        await sink.reports(3);
        if (index === 0) return exhausted;
        await warned;
        return { status: 503 };
      };
      await warned;
      await page.flush();
      expect(sink.posts()).toHaveLength(3);
      expect(await page.warnings()).toEqual([expect.stringMatching(/quota/i)]);
    },
  },
};

const optionsOf = (endpoint: string): { apiKey: string; endpoint: string } => ({ apiKey: 'pk_browsers', endpoint });
