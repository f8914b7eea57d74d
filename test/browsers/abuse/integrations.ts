import { expect } from 'vitest';
import type { SdkPromise } from '../sdk-promise.ts';
import { abuse } from './abuse-case.ts';

export const integrations: SdkPromise = {
  promise: 'Integrations and further clients report each of their errors once, and share no state',
  cases: {
    'captureConsole: errors, texts and hostile values': abuse({
      options: null,
      script: ({ options }) => {
        ServiceSDK.init({ ...options, integrations: [ServiceSDK.captureConsole()] });
        console.error('a text', 7, { order: 1 });
        console.error('prefix', new TypeError('logged'));
        console.warn('a warning is no error');
        console.error(Symbol('s'), null, undefined);
        const { proxy, revoke } = Proxy.revocable({}, {});
        revoke();
        console.error('revoked', proxy);
      },
      reports: ['a text 7 {"order":1}', 'logged', 'Symbol(s) null undefined', /^revoked /],
    }),
    'captureConsole: an error that is logged and then thrown': abuse({
      options: null,
      script: ({ options }) => {
        ServiceSDK.init({ ...options, integrations: [ServiceSDK.captureConsole()] });
        const error = new Error('logged and thrown');
        console.error(error);
        throw error;
      },
      reports: ['logged and thrown'],
      uncaught: ['logged and thrown'],
    }),
    'captureConsole: a listener that logs each error': abuse({
      options: null,
      script: ({ options }) => {
        addEventListener('error', ({ error }) => console.error('seen', error));
        ServiceSDK.init({ ...options, integrations: [ServiceSDK.captureConsole()] });
        throw new Error('logged by a listener');
      },
      reports: ['logged by a listener'],
      uncaught: ['logged by a listener'],
    }),
    'captureConsole: console.error in beforeSend does not recur': abuse({
      options: null,
      script: ({ options }) => {
        ServiceSDK.init({
          ...options,
          integrations: [ServiceSDK.captureConsole()],
          beforeSend: (report) => {
            console.error('about to send', report.message);
            return report;
          },
        });
        throw new Error('fails');
      },
      reports: ['fails'],
      uncaught: ['fails'],
    }),
    'captureFailedRequests: fetch and XMLHttpRequest, but not the SDK itself': abuse({
      options: null,
      response: (index) => ({ status: index === 0 ? 500 : 200 }),
      script: async ({ options, unreachableUrl }) => {
        ServiceSDK.init({
          ...options,
          integrations: [ServiceSDK.captureFailedRequests({ isFailure: (status) => status >= 404 })],
        });
        await fetch('no-such-file.json');
        await fetch('watch.js');
        await fetch(unreachableUrl).catch(() => {});
        await new Promise((resolve) => {
          const request = new XMLHttpRequest();
          request.addEventListener('loadend', resolve);
          request.open('POST', 'no-such-file.xml');
          request.send();
        });
        await ServiceSDK.flush(60_000);
      },
      reports: [
        /^Request failed with status 404: GET no-such-file.json$/,
        /^Request failed with status 404: GET no-such-file.json$/,
        /^Request failed with status 404: POST no-such-file.xml$/,
      ],
    }),
    'captureFailedRequests: isFailure that throws': abuse({
      options: null,
      script: async ({ options }) => {
        const isFailure = (): boolean => {
          throw new Error('in isFailure');
        };
        ServiceSDK.init({ ...options, integrations: [ServiceSDK.captureFailedRequests({ isFailure })] });
        self.results = [(await fetch('watch.js')).ok];
      },
      warnings: [/W5/],
      check: async (_, { page }) => {
        expect(await page.run(() => self.results)).toEqual([true]);
      },
    }),
    'offlineStorage: reports survive a reload': abuse({
      options: null,
      before: () => {
        if (sessionStorage.getItem('loaded')) return;
        Object.defineProperty(navigator, 'onLine', { configurable: true, get: () => false });
        self.fetch = () => Promise.reject(new TypeError('Load failed'));
      },
      script: async ({ options }) => {
        ServiceSDK.init({ ...options, integrations: [ServiceSDK.offlineStorage()] });
        if (sessionStorage.getItem('loaded')) return;
        ServiceSDK.captureMessage('offline');
        await ServiceSDK.flush(100);
        sessionStorage.setItem('loaded', 'once');
      },
      act: ({ tab }) => tab.reload(),
      reports: ['offline'],
      check: async (_, { page }) => {
        const keys = await page.run(() => Object.keys(localStorage).filter((key) => key.includes('pk_browsers')));
        expect(keys).toEqual([]);
      },
    }),
    'offlineStorage: broken entries of a storage': abuse({
      options: null,
      before: () => {
        localStorage.setItem('__serviceSDK pk_browsers a', 'no JSON {');
        localStorage.setItem('__serviceSDK pk_browsers b', 'null');
        localStorage.setItem('__serviceSDK pk_browsers c', '7');
        localStorage.setItem('of the page', 'kept');
      },
      script: ({ options }) => {
        ServiceSDK.init({ ...options, integrations: [ServiceSDK.offlineStorage()] });
        self.results = [localStorage.getItem('of the page'), localStorage.getItem('__serviceSDK pk_browsers a')];
        localStorage.removeItem('of the page');
        ServiceSDK.captureMessage('sent');
      },
      reports: ['sent'],
      check: async (_, { page }) => {
        expect(await page.run(() => self.results)).toEqual(['kept', null]);
      },
    }),
    'offlineStorage: a storage that is forbidden': abuse({
      options: null,
      before: () => {
        Object.defineProperty(self, 'localStorage', {
          configurable: true,
          get() {
            throw new DOMException('no storage', 'SecurityError');
          },
        });
      },
      response: (index) => ({ status: index === 0 ? 503 : 200 }),
      script: async ({ options }) => {
        ServiceSDK.init({ ...options, integrations: [ServiceSDK.offlineStorage()] });
        ServiceSDK.captureMessage('retried');
        await ServiceSDK.flush(60_000);
      },
      reports: ['retried', 'retried'],
    }),
    'two clients share neither scope nor breadcrumbs': abuse({
      script: async ({ options }) => {
        const other = ServiceSDK.createClient({ ...options, apiKey: 'pk_other', allowUrls: ['/other.js'] });
        other.setTag('team', 'other');
        other.setUser({ id: 'other' });
        ServiceSDK.setTag('team', 'page');
        other.addBreadcrumb({ message: 'of the other' });
        ServiceSDK.captureMessage('by the page');
        other.captureMessage('by the other');
        await other.close(60_000);
        self.results = [other.captureMessage('closed')];
        ServiceSDK.captureMessage('still there');
      },
      reports: ['by the page', 'by the other', 'still there'],
      check: async (reports, { page }) => {
        const find = (text: string): unknown => reports.find(({ message }) => message === text);
        expect(find('by the page')).toMatchObject({ project_api_key: 'pk_browsers', tags: { team: 'page' } });
        expect(find('by the page')).not.toHaveProperty('user');
        expect(find('by the other')).toMatchObject({
          project_api_key: 'pk_other',
          tags: { team: 'other' },
          user: { id: 'other' },
        });
        expect(find('still there')).not.toHaveProperty('breadcrumbs.data.message');
        expect(await page.run(() => self.results)).toEqual([null]);
      },
    }),
    'three clients, closed in another order than they were started': abuse({
      script: async ({ options }) => {
        const { log } = console;
        const first = ServiceSDK.createClient({ ...options, apiKey: 'pk_1', allowUrls: ['/none.js'] });
        const second = ServiceSDK.createClient({ ...options, apiKey: 'pk_2', allowUrls: ['/none.js'] });
        await first.close();
        console.log('after the first');
        await second.close();
        console.log('after the second');
        self.results = [String(console.log) === String(log), (await fetch('watch.js')).ok];
        ServiceSDK.captureMessage('still there');
      },
      reports: ['still there'],
      check: async ([report], { page }) => {
        expect(report?.breadcrumbs?.filter(({ type }) => type === 'console')).toHaveLength(2);
        expect(await page.run(() => self.results)).toEqual([true, true]);
      },
    }),
    'createClient() with wrong options returns a client that does nothing': abuse({
      script: async () => {
        for (const options of [undefined, null, 7, {}]) {
          const client = ServiceSDK.createClient(options as never);
          client.setUser({ id: 'x' });
          client.setTag('a', 1);
          client.addBreadcrumb({ message: 'x' });
          self.results = [
            client.captureMessage('x'),
            client.withScope(() => 7),
            await client.flush(),
            await client.close(),
          ];
        }
      },
      warnings: [/W2/],
      check: async (_, { page }) => {
        expect(await page.run(() => self.results)).toEqual([null, 7, true, true]);
      },
    }),
  },
};
