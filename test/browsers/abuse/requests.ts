import { expect } from 'vitest';
import type { ErrorReport } from '../../../packages/browser/src/index.ts';
import type { SdkPromise } from '../sdk-promise.ts';
import { abuse } from './abuse-case.ts';

const requestsOf = (report: ErrorReport | undefined): unknown[] =>
  (report?.breadcrumbs ?? []).filter(({ type }) => type === 'http').map(({ data }) => data);

export const requests: SdkPromise = {
  promise: 'Requests, the console and the history work as without the SDK, however a page uses or replaces them',
  cases: {
    'a read-only fetch that can be redefined': abuse({
      before: () => {
        Object.defineProperty(self, 'fetch', { value: self.fetch, writable: false, configurable: true });
      },
      script: async () => {
        await fetch('watch.js');
        ServiceSDK.captureMessage('fetched');
      },
      reports: ['fetched'],
      check: ([report]) => expect(requestsOf(report)).toMatchObject([{ method: 'GET', status: 200 }]),
    }),
    'a locked fetch': abuse({
      before: () => {
        Object.defineProperty(self, 'fetch', { value: self.fetch, writable: false, configurable: false });
      },
      script: async () => {
        await fetch('watch.js');
        ServiceSDK.captureMessage('fetched');
      },
      reports: ['fetched'],
    }),
    'a fetch that the page replaces after init()': abuse({
      script: async () => {
        const original = fetch;
        self.fetch = async (...args) => original(...args);
        await fetch('watch.js');
        self.fetch = () => Promise.reject(new Error('no network'));
        ServiceSDK.captureMessage('fetched');
        await ServiceSDK.flush();
        self.fetch = original;
      },
      reports: ['fetched'],
      check: ([report]) => expect(requestsOf(report)).toHaveLength(1),
    }),
    'a page without fetch': abuse({
      before: () => Reflect.set(self, 'fetch', undefined),
      script: () => {
        self.results = [typeof fetch];
      },
      isSilent: true,
      broken: ['fetch'],
      warnings: [/W10/],
      check: async (_, { page }) => {
        expect(await page.run(() => self.results)).toEqual(['undefined']);
      },
    }),
    'fetch with wrong arguments fails as without the SDK': abuse({
      script: async () => {
        const fail = { toString: () => Promise.reject(new Error('unused')) };
        const calls: (() => Promise<unknown>)[] = [
          () => Reflect.apply(fetch, self, []),
          () => fetch('https://['),
          () => fetch(Symbol('url') as never),
          () => fetch({ toString: null } as never),
          () => fetch('watch.js', { method: 'BAD METHOD' }),
          () => fetch('watch.js', null as never).then(() => Promise.reject(new TypeError('fine'))),
          () => Reflect.apply(fetch, {}, ['watch.js']),
        ];
        self.results = [];
        for (const call of calls) {
          const promise = call();
          self.results.push(
            promise instanceof Promise &&
              (await promise.then(
                () => 'fulfilled',
                ({ name }) => name,
              )),
          );
        }
        void fail;
      },
      check: async (_, { page }) => {
        expect(await page.run(() => self.results)).toEqual(Array(7).fill('TypeError'));
      },
    }),
    'fetch options whose getters throw or count': abuse({
      script: async () => {
        let reads = 0;
        const init = {
          get method(): string {
            reads++;
            return 'POST';
          },
        };
        await fetch('watch.js', init);
        const failing = {
          get method(): string {
            throw new RangeError('no method');
          },
        };
        self.results = [reads > 0, await fetch('watch.js', failing).catch(({ name }) => name)];
      },
      check: async (_, { page }) => {
        expect(await page.run(() => self.results)).toEqual([true, 'RangeError']);
      },
    }),
    'an aborted fetch rejects once, as without the SDK': abuse({
      before: () => {
        self.plainFetch = self.fetch.bind(self);
      },
      script: async () => {
        const abort = async (run: typeof fetch): Promise<boolean> => {
          const controller = new AbortController();
          const reason = new Error('changed my mind');
          const promise = run('watch.js', { signal: controller.signal });
          controller.abort(reason);
          return (await promise.catch((error) => error)) === reason;
        };
        self.results = [await abort(fetch), await abort(self.plainFetch)];
      },
      check: async (_, { page }) => {
        // WebKit passes on no reason.
        const [patched, plain] = await page.run(() => self.results);
        expect(patched).toBe(plain);
      },
    }),
    'a Request keeps its body, and a Response too': abuse({
      script: async () => {
        const request = new Request('watch.js', { method: 'POST', body: 'a body' });
        const response = await fetch(request.clone());
        self.results = [
          request.bodyUsed,
          response.bodyUsed,
          (await response.text()).length > 100,
          await request.text(),
        ];
      },
      check: async (_, { page }) => {
        expect(await page.run(() => self.results)).toEqual([false, false, true, 'a body']);
      },
    }),
    'a request in flight when an error happens': abuse({
      script: () => {
        void fetch('watch.js?flight');
        ServiceSDK.captureMessage('in flight');
      },
      reports: ['in flight'],
      check: ([report]) =>
        expect(requestsOf(report)).toEqual([
          { method: 'GET', url: expect.stringContaining('watch.js?flight'), pending: true },
        ]),
    }),
    'patched functions keep toString(), name and new': abuse({
      script: () => {
        self.results = [fetch, history.pushState, XMLHttpRequest.prototype.open].flatMap((native) => [
          /\[native code\]/.test(String(native)),
          /\[native code\]/.test(native.toString()),
          native.name.length > 0,
        ]);
        self.results.push(new XMLHttpRequest() instanceof XMLHttpRequest);
        class OwnRequest extends XMLHttpRequest {}
        new OwnRequest().open('GET', 'watch.js');
        self.results.push(new OwnRequest() instanceof XMLHttpRequest);
      },
      check: async (_, { page }) => {
        expect(await page.run(() => self.results)).toEqual(Array(11).fill(true));
      },
    }),
    'XMLHttpRequest with wrong arguments fails as without the SDK': abuse({
      script: () => {
        const open = (...args: unknown[]): string => {
          try {
            return String(Reflect.apply(XMLHttpRequest.prototype.open, new XMLHttpRequest(), args));
          } catch (error) {
            return (error as Error).name;
          }
        };
        self.results = [open(), open('GET'), open('BAD METHOD', '/'), open('GET', 'https://['), open(Symbol('m'), '/')];
      },
      check: async (_, { page }) => {
        expect(await page.run(() => self.results)).toEqual([
          'TypeError',
          'TypeError',
          'SyntaxError',
          'SyntaxError',
          'TypeError',
        ]);
      },
    }),
    'a synchronous, a reused and an aborted XMLHttpRequest': abuse({
      script: async () => {
        const request = new XMLHttpRequest();
        request.open('GET', 'watch.js?sync', false);
        request.send();
        await new Promise((resolve) => {
          request.addEventListener('loadend', resolve, { once: true });
          request.open('GET', 'watch.js?again');
          request.send();
        });
        await new Promise((resolve) => {
          request.addEventListener('load', () => request.open('GET', 'watch.js?aborted'), { once: true });
          request.addEventListener('loadend', resolve, { once: true });
          request.open('GET', 'watch.js?polled');
          request.send();
        });
        request.send();
        request.abort();
        ServiceSDK.captureMessage('requested');
      },
      reports: ['requested'],
      check: ([report]) => {
        const seen = requestsOf(report).map((data) => data as { url: string; status: number });
        expect(seen.map(({ url, status }) => [url.replace(/.*\?/, ''), status])).toEqual([
          ['sync', 200],
          ['again', 200],
          ['polled', 200],
          ['aborted', 0],
        ]);
      },
    }),
    'a page without XMLHttpRequest': abuse({
      before: () => Reflect.set(self, 'XMLHttpRequest', undefined),
      broken: ['xhr'],
    }),
    'a page with a separate XMLHttpRequest': abuse({
      before: () => {
        const Original = XMLHttpRequest;
        self.XMLHttpRequest = function OwnRequest() {
          return new Original();
        } as never;
      },
    }),
    'a console that lacks a method and has a locked one': abuse({
      before: () => {
        Reflect.set(console, 'info', undefined);
        Object.defineProperty(console, 'error', { value: console.error, writable: false, configurable: false });
      },
      script: () => {
        self.results = [typeof console.info];
        console.error('a line');
        console.log('another');
      },
      check: async (_, { page }) => {
        // The SDK adds no method that the page lacks.
        expect(await page.run(() => self.results)).toEqual(['undefined']);
      },
    }),
    'a console that the page replaces or that throws': abuse({
      before: () => {
        console.warn = () => {
          throw new Error('no console');
        };
      },
      script: ({ options }) => {
        ServiceSDK.init(options);
        console.log = () => 'replaced';
        self.results = [console.log('a line')];
        self.console = { log() {}, warn() {}, error() {}, debug() {}, info() {} } as never;
        throw new Error('fails');
      },
      reports: ['fails'],
      uncaught: ['fails'],
      check: async (_, { page }) => {
        expect(await page.run(() => self.results)).toEqual(['replaced']);
      },
    }),
    'hostile values in the console': abuse({
      script: () => {
        const fail = (): never => {
          throw new Error('trap');
        };
        const hostile = new Proxy({}, { get: fail, has: fail, ownKeys: fail });
        const { proxy, revoke } = Proxy.revocable({}, {});
        revoke();
        const cycle: unknown[] = [];
        cycle.push(cycle);
        console.debug(hostile);
        console.debug(proxy);
        console.debug(cycle, Symbol('a'), 1n, window, document.documentElement, undefined, null, -0, Number.NaN);
        console.debug('x'.repeat(10_000_000));
        console.debug();
        ServiceSDK.captureMessage('logged');
      },
      reports: ['logged'],
      check: ([report]) => expect(JSON.stringify(report?.breadcrumbs).length).toBeLessThan(31_000),
    }),
    'one large breadcrumb does not push out the others': abuse({
      script: () => {
        for (let count = 0; count < 10; count++) ServiceSDK.addBreadcrumb({ message: `small ${count}` });
        ServiceSDK.addBreadcrumb({
          message: 'large',
          data: { rows: Array.from({ length: 5_000 }, () => ({ text: 'x'.repeat(1_000) })) },
        });
        console.log(Array(10_000).fill('a text of the page'));
        ServiceSDK.captureMessage('kept');
      },
      reports: ['kept'],
      check: ([report]) => {
        expect(report?.breadcrumbs).toHaveLength(12);
        expect(report?.breadcrumbs?.[0]?.data).toEqual({ message: 'small 0' });
      },
    }),
    'hostile breadcrumbs': abuse({
      script: () => {
        for (const input of [undefined, null, 7, 'text', [], Symbol('a'), () => {}, { type: Symbol('t'), data: 7 }]) {
          ServiceSDK.addBreadcrumb(input as never);
        }
        ServiceSDK.addBreadcrumb({
          get message(): string {
            throw new Error('no message');
          },
        });
        ServiceSDK.captureMessage('recorded');
      },
      reports: ['recorded'],
      warnings: [/W5/],
      check: ([report]) => {
        for (const { type, category, data } of report?.breadcrumbs ?? []) {
          expect([typeof type, typeof category, typeof data]).toEqual(['string', 'string', 'object']);
        }
      },
    }),
    'a history that the page has locked or replaced': abuse({
      before: () => {
        Object.defineProperty(history, 'pushState', { value: history.pushState, writable: false, configurable: false });
        history.replaceState = function own(this: History, ...args: Parameters<History['replaceState']>) {
          return History.prototype.replaceState.apply(this, args);
        };
      },
      script: () => {
        history.pushState({ a: 1 }, '', '?pushed');
        history.replaceState({ a: 2 }, '', '?replaced');
        self.results = [location.search, history.state.a];
      },
      check: async (_, { page }) => {
        expect(await page.run(() => self.results)).toEqual(['?replaced', 2]);
      },
    }),
    'pushState with values that cannot be cloned fails as without the SDK': abuse({
      script: () => {
        const push = (...args: unknown[]): string => {
          try {
            return String(Reflect.apply(history.pushState, history, args));
          } catch (error) {
            return (error as Error).name;
          }
        };
        self.results = [push(() => {}, ''), push(), push(null, '', 'https://other.test/'), push(null, '', '?ok')];
      },
      check: async (_, { page }) => {
        expect(await page.run(() => self.results)).toEqual([
          'DataCloneError',
          'TypeError',
          'SecurityError',
          'undefined',
        ]);
      },
    }),
  },
};

declare global {
  /** The browser's own fetch. */
  var plainFetch: typeof fetch;
}
