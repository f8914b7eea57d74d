import { expect } from 'vitest';
import type { Promised } from './promised.ts';

export const ownRequests: Promised = {
  promise: "The SDK's own requests and lines never become breadcrumbs or reports",
  cases: {
    'answered, refused and torn': async ({ open, sink, page }) => {
      sink.answer = (index) => (index === 2 ? null : { status: index === 1 ? 403 : 200 });
      await open({ options: { maxBreadcrumbs: 100 } });
      for (const name of ['taken', 'refused', 'torn', 'the last']) {
        await page.run((message) => {
          ServiceSDK.captureException(new Error(message));
          return ServiceSDK.flush(8_000);
        }, name);
      }
      // The one that was torn comes again.
      await sink.reports(5);
      await page.flush();
      const reports = await sink.reports(5);
      expect(reports.map(({ message }) => message)).toEqual(['taken', 'refused', 'torn', 'torn', 'the last']);
      expect(reports.flatMap(({ breadcrumbs = [] }) => breadcrumbs)).toEqual([]);
      expect((await page.warnings()).length).toBeGreaterThan(0);
    },
  },
};

export const failedFetch: Promised = {
  promise: 'A fetch that fails is one unhandled rejection, and none if the page handles it',
  cases: {
    'not handled': async ({ open, sink, page }) => {
      await open({ before: countRejections, script: ({ torn }) => void fetch(torn) });
      const [report] = await sink.reports(1);
      await page.flush();
      expect(sink.posts()).toHaveLength(1);
      expect(report).toMatchObject({ type: 'TypeError', message: expect.stringMatching(/fetch|load/i) });
      expect(await page.run(() => self.rejections)).toBe(1);
    },
    handled: async ({ open, sink, page }) => {
      await open({
        before: countRejections,
        script: ({ torn }) => {
          self.requestsDone = Promise.all([
            fetch(torn).catch(({ name }) => name),
            fetch(torn).then(undefined, ({ name }) => name),
            (async () => {
              try {
                return await fetch(torn);
              } catch (error) {
                return (error as Error).name;
              }
            })(),
          ]);
        },
      });
      expect(await page.run(() => self.requestsDone)).toEqual(['TypeError', 'TypeError', 'TypeError']);
      await page.flush();
      expect(sink.requests).toEqual([]);
      expect(await page.run(() => self.rejections)).toBe(0);
    },
  },
};

function countRejections(): void {
  self.rejections = 0;
  addEventListener('unhandledrejection', () => self.rejections++);
}

declare global {
  var rejections: number;
}
