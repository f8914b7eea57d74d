import { expect } from 'vitest';
import type { Breadcrumb } from '../../../packages/browser/src/index.ts';
import type { SdkPromise } from '../sdk-promise.ts';

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as unknown;

export const breadcrumbKinds: SdkPromise = {
  promise: 'Breadcrumbs of navigation, click, fetch, XMLHttpRequest and console have the right order and shape',
  cases: {
    'one of each kind, and failed requests': async ({ open, sink, tab, page }) => {
      await open({ html: '<button id="save" class="btn primary wide" type="button" name="go">Save</button>' });
      await page.run(async () => {
        console.log('begun', 7, { cart: { figs: 2 } });
        history.pushState(null, '', '?step=2');
        history.replaceState(null, '', '?step=3');
        location.hash = 'four';
        while (!location.hash) await new Promise((resolve) => setTimeout(resolve));
      });
      await tab.click('#save');
      await page.run(async (unreachableUrl) => {
        await fetch('script-of-none.js', { method: 'PUT' });
        await fetch(new Request('init.js'));
        await fetch(unreachableUrl).catch(() => {});
        const finish = (request: XMLHttpRequest): Promise<unknown> =>
          new Promise((resolve) => {
            request.addEventListener('loadend', resolve);
            request.send();
          });
        const request = new XMLHttpRequest();
        request.open('post', 'script-of-none.js');
        await finish(request);
        request.open('GET', new URL('init.js', location.href));
        await finish(request);
        request.open('GET', unreachableUrl);
        await finish(request);
        console.error(new TypeError('logged'));
        ServiceSDK.captureException(new Error('now'));
      }, `${sink.endpoint}/unreachable`);
      const [report] = await sink.reports(1);
      const { url = '', breadcrumbs = [] } = report ?? {};
      const base = url.replace(/\?.*/, '');
      const duration = expect.any(Number) as unknown;
      const http = (category: string, method: string, path: string, status: number): Breadcrumb =>
        ({
          timestamp,
          type: 'http',
          category,
          data: { method, url: expect.stringContaining(path), status, duration },
        }) as Breadcrumb;
      const went = (from: string, to: string): Breadcrumb =>
        ({
          timestamp,
          type: 'navigation',
          category: 'history',
          data: { from: base + from, to: base + to },
        }) as Breadcrumb;
      expect(breadcrumbs).toEqual([
        {
          timestamp,
          type: 'console',
          category: 'console',
          data: { level: 'log', arguments: ['begun', expect.anything(), expect.anything()] },
        },
        went('', '?step=2'),
        went('?step=2', '?step=3'),
        went('?step=3', '?step=3#four'),
        {
          timestamp,
          type: 'ui',
          category: 'click',
          data: { selector: expect.stringMatching(/^button#save\.btn\.primary/) },
        },
        http('fetch', 'PUT', 'script-of-none.js', 404),
        http('fetch', 'GET', 'init.js', 200),
        http('fetch', 'GET', '/unreachable', 0),
        http('xhr', 'POST', 'script-of-none.js', 404),
        http('xhr', 'GET', 'init.js', 200),
        http('xhr', 'GET', '/unreachable', 0),
        {
          timestamp,
          type: 'console',
          category: 'console',
          data: { level: 'error', arguments: [expect.stringContaining('TypeError: logged')] },
        },
      ]);
      const times = breadcrumbs.map((breadcrumb) => breadcrumb.timestamp);
      expect(times).toEqual(times.toSorted());
    },
  },
};

export const ownRequests: SdkPromise = {
  promise: "The SDK's own requests and console lines never become breadcrumbs or reports",
  cases: {
    'accepted, rejected and aborted requests': async ({ open, sink, page }) => {
      sink.response = (index) => (index === 2 ? null : { status: index === 1 ? 403 : 200 });
      await open({ options: { maxBreadcrumbs: 100 } });
      for (const name of ['accepted', 'rejected', 'aborted', 'the last']) {
        await page.run((message) => {
          ServiceSDK.captureException(new Error(message));
          return ServiceSDK.flush(60_000);
        }, name);
      }
      // The aborted report is retried.
      await sink.reports(5);
      await page.flush();
      const reports = await sink.reports(5);
      expect(reports.map(({ message }) => message)).toEqual(['accepted', 'rejected', 'aborted', 'aborted', 'the last']);
      expect(reports.flatMap(({ breadcrumbs = [] }) => breadcrumbs)).toEqual([]);
      expect((await page.warnings()).length).toBeGreaterThan(0);
    },
  },
};

export const failedFetch: SdkPromise = {
  promise: 'A failed fetch causes one unhandled rejection, and none if the page handles it',
  cases: {
    unhandled: async ({ open, sink, page }) => {
      await open({ before: countRejections, script: ({ unreachableUrl }) => void fetch(unreachableUrl) });
      const [report] = await sink.reports(1);
      await page.flush();
      expect(sink.posts()).toHaveLength(1);
      expect(report).toMatchObject({ type: 'TypeError', message: expect.stringMatching(/fetch|load/i) });
      expect(await page.run(() => self.rejections)).toBe(1);
    },
    handled: async ({ open, sink, page }) => {
      await open({
        before: countRejections,
        script: ({ unreachableUrl }) => {
          self.requestsDone = Promise.all([
            fetch(unreachableUrl).catch(({ name }) => name),
            fetch(unreachableUrl).then(undefined, ({ name }) => name),
            (async () => {
              try {
                return await fetch(unreachableUrl);
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
