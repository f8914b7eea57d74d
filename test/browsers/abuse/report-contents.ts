import { expect } from 'vitest';
import type { SdkPromise } from '../sdk-promise.ts';
import { abuse } from './abuse-case.ts';

export const reportContents: SdkPromise = {
  promise: 'Data that a page adds to reports arrives whole, or in part with a warning; secrets never arrive',
  cases: {
    'secrets in texts': abuse({
      script: () => {
        const texts = [
          '/?token=hush&page=2',
          '/?access_token=hush',
          '#id_token=hush',
          '/cb?code=hush',
          '{"password":"hush","page":2}',
          String.raw`{\"pwd\":\"hush\"}`,
          'Authorization: Bearer hush',
          'Authorization: Basic hush',
          'https://ada:hush@shop.test/',
          'hush@shop.example',
          'eyJhbGciOiJI.hush.hush',
          'session=hush; path=/',
          '%3Ftoken%3Dhush',
          'api_key=hush&client_secret=hush',
          '"cvv":"hush","ssn":"hush","pin":"hush","otp":"hush"',
          'passphrase=hush&private_key=hush&sid=hush&card=hush',
        ];
        ServiceSDK.captureException(new Error('texts'), { metadata: { texts } });
      },
      reports: ['texts'],
      check: ([report]) => {
        const texts = (report?.metadata?.texts ?? []) as string[];
        expect(texts).toHaveLength(16);
        expect(texts.filter((text) => text.includes('hush') || !text.includes('[scrubbed]'))).toEqual([]);
      },
    }),
    'secrets by key': abuse({
      script: () => {
        const names = [
          'password',
          'pwd',
          'passphrase',
          'private_key',
          'privateKey',
          'cvv',
          'card',
          'ssn',
          'pin',
          'otp',
        ];
        names.push(
          'sid',
          'accessToken',
          'x-api-key',
          'Cookie',
          'csrf',
          'user_password',
          'authorization',
          'clientSecret',
        );
        const metadata = Object.fromEntries(names.map((name) => [name, 'hush-1234']));
        console.log(metadata);
        ServiceSDK.addBreadcrumb({ data: metadata });
        ServiceSDK.captureException(Object.assign(new Error('keys'), metadata), {
          metadata: { ...metadata, deep: [metadata] },
        });
      },
      reports: ['keys'],
      check: (_, { sink }) => {
        for (const { body } of sink.posts()) expect(body).not.toContain('hush');
      },
    }),
    'what looks like a secret and is none': abuse({
      script: () => {
        const metadata = {
          image: '/img/logo@2x.png',
          package: 'https://cdn.test/@scope/pkg@1.2.3/index.js',
          code: 'SLOT_TAKEN',
          hasPassword: true,
          password_set: 'yes',
          author: 'author=ada',
          tokenizer: 'tokenizer=bpe',
          page: '/?page=2&spin=7',
          discard: 'discard=all',
          country: '{"country":"DE","zipcode":"10115"}',
          syntax: 'Unexpected token < in JSON at position 0',
        };
        ServiceSDK.captureException(new Error('kept'), { metadata });
      },
      reports: ['kept'],
      check: ([report]) => expect(JSON.stringify(report?.metadata)).not.toContain('[scrubbed]'),
    }),
    'one getter that throws keeps the rest': abuse({
      script: () => {
        const withTrap = {
          kept: 1,
          get trap(): never {
            throw new Error('no value');
          },
          alsoKept: 2,
        };
        ServiceSDK.setMetadata(withTrap);
        ServiceSDK.setMetadata({ later: 3 });
        ServiceSDK.captureException(new Error('metadata'), { metadata: withTrap });
      },
      reports: ['metadata'],
      check: ([report]) => expect(report?.metadata).toMatchObject({ kept: 1, alsoKept: 2, later: 3 }),
    }),
    'metadata of every kind': abuse({
      script: () => {
        const cycle: Record<string, unknown> = {};
        cycle.itself = cycle;
        for (const value of [undefined, null, 7, 'text', [], Symbol('a'), () => {}, cycle, document, new Map()]) {
          ServiceSDK.setMetadata(value as never);
        }
        ServiceSDK.setMetadata({
          kept: 1,
          list: new Set([1]),
          url: new URL('https://shop.test/'),
          at: new Date(0),
          big: 1n,
        });
        ServiceSDK.captureMessage('set');
      },
      reports: ['set'],
      check: ([report]) =>
        expect(report?.metadata).toMatchObject({ kept: 1, url: 'https://shop.test/', at: '1970-01-01T00:00:00.000Z' }),
    }),
    'an object of 100,000 levels, and one with 100,000 keys': abuse({
      script: () => {
        let deep: object = {};
        for (let level = 0; level < 100_000; level++) deep = { deep };
        const wide = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`key${index}`, index]));
        ServiceSDK.setMetadata({ kept: 1, deep, wide });
        ServiceSDK.captureMessage('set');
      },
      reports: ['set'],
      check: ([report]) => {
        expect(report?.metadata).toMatchObject({ kept: 1 });
        expect(JSON.stringify(report).length).toBeLessThan(65_000);
      },
    }),
    'levels, known and unknown': abuse({
      script: () => {
        for (const level of ['fatal', 'error', 'warning', 'info', 'debug', 'catastrophe', 7, {}]) {
          ServiceSDK.captureException(new Error(String(level)), { level: level as never });
        }
      },
      reports: ['fatal', 'error', 'warning', 'info', 'debug', 'catastrophe', '7', '[object Object]'],
    }),
    'the returned event ids are those of the reports': abuse({
      script: () => {
        self.results = [
          ServiceSDK.captureException(new Error('first')),
          ServiceSDK.captureMessage('second'),
          ServiceSDK.captureException(new Error('third'), { level: 'info' }),
        ];
      },
      reports: ['first', 'second', 'third'],
      check: async (reports, { page }) => {
        const ids = await page.run(() => self.results);
        expect(new Set(ids).size).toBe(3);
        expect(reports.map(({ event_id: id }) => id).toSorted()).toEqual(ids.toSorted());
      },
    }),
    'tags of every kind': abuse({
      script: () => {
        ServiceSDK.setTags({ plan: 'pro', seats: 7, trial: false, gone: 'x', ['k'.repeat(500)]: 'v'.repeat(500) });
        ServiceSDK.setTag('gone', null);
        ServiceSDK.setTag('symbol', Symbol('s') as never);
        ServiceSDK.setTag('object', { a: 1 } as never);
        ServiceSDK.setTag(7 as never, 7);
        ServiceSDK.setTags(null as never);
        ServiceSDK.setTags('text' as never);
        ServiceSDK.setTags(Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`t${index}`, index])));
        ServiceSDK.captureMessage('tagged');
      },
      reports: ['tagged'],
      check: ([report]) => {
        expect(report?.tags).toMatchObject({ plan: 'pro', seats: '7', trial: 'false', 7: '7' });
        expect(report?.tags).not.toHaveProperty('gone');
      },
    }),
    'tags whose values throw': abuse({
      script: () => {
        const fails = {
          toString(): string {
            throw new Error('no text');
          },
        };
        ServiceSDK.setTag('kept', 'yes');
        ServiceSDK.setTag('fails', fails as never);
        ServiceSDK.captureException(new Error('tagged'), { tags: { fails: fails as never }, level: 'info' });
      },
      reports: ['tagged'],
      warnings: [/W5/],
      check: ([report]) => expect(report?.tags).toEqual({ kept: 'yes' }),
    }),
    'withScope inside withScope, and a promise': abuse({
      script: async () => {
        ServiceSDK.setTag('page', 1);
        await ServiceSDK.withScope(async (outer) => {
          outer.setTag('outer', 1);
          outer.setLevel('warning');
          ServiceSDK.withScope((inner) => {
            inner.setTag('inner', 1);
            inner.setUser({ id: 'inner' });
            inner.setFingerprint('one group');
            ServiceSDK.captureMessage('inner');
          });
          ServiceSDK.captureException(new Error('outer'));
        });
        ServiceSDK.captureException(new Error('page'));
      },
      reports: ['inner', 'outer', 'page'],
      check: (reports) => {
        const [inner, outer, page] = ['inner', 'outer', 'page'].map((text) =>
          reports.find(({ message }) => message === text),
        );
        expect(inner).toMatchObject({
          tags: { page: '1', outer: '1', inner: '1' },
          user: { id: 'inner' },
          fingerprint: ['one group'],
        });
        expect(outer).toMatchObject({ tags: { page: '1', outer: '1' }, level: 'warning' });
        expect(outer).not.toHaveProperty('user');
        expect(page?.tags).toEqual({ page: '1' });
      },
    }),
    'a user whose name and address stay in the page': abuse({
      script: () => {
        ServiceSDK.setUser({ id: 7, name: 'Ada hush', email: 'hush@shop.example' });
        ServiceSDK.captureMessage('as a user');
      },
      reports: ['as a user'],
      check: ([report], { sink }) => {
        expect(report?.user).toEqual({ id: '7' });
        for (const { body } of sink.posts()) expect(body).not.toContain('hush');
      },
    }),
    'a user whose name and address are asked for': abuse({
      options: { sendUserDetails: true },
      script: () => {
        ServiceSDK.setUser({ id: 'u_7', name: 'Ada', email: 'ada@shop.example' });
        ServiceSDK.captureMessage('as a user');
        ServiceSDK.setUser(null);
        ServiceSDK.captureMessage('without a user');
      },
      reports: ['as a user', 'without a user'],
      check: (reports) => {
        const users = Object.fromEntries(reports.map(({ message, user }) => [message, user]));
        expect(users).toEqual({
          'as a user': { id: 'u_7', name: 'Ada', email: 'ada@shop.example' },
          'without a user': null,
        });
      },
    }),
    'users of wrong types': abuse({
      script: () => {
        for (const user of [
          undefined,
          7,
          'text',
          {},
          [],
          { id: null },
          { id: {} },
          { id: 'x'.repeat(10_000), plan: 'pro' },
        ]) {
          ServiceSDK.setUser(user as never);
        }
        ServiceSDK.captureMessage('as a user');
      },
      reports: ['as a user'],
      warnings: [/W12/],
      check: ([report]) => expect(report?.user?.id).toMatch(/^x{200}…$/),
    }),
    'fingerprints of every kind': abuse({
      script: () => {
        const fingerprints = ['one', ['one', 'two'], [], 7, [7, null, {}], Array(100).fill('many'), 'x'.repeat(10_000)];
        for (const [index, fingerprint] of fingerprints.entries()) {
          ServiceSDK.captureException(new Error(`print ${index}`), { fingerprint: fingerprint as never });
        }
      },
      reports: [...Array(7).keys()].map((index) => `print ${index}`),
    }),
    'contexts of every kind': abuse({
      script: () => {
        const fail = (): never => {
          throw new Error('trap');
        };
        const contexts = [null, 'text', 7, [], { metadata: 'text', tags: 'text', user: 'text', level: null }];
        for (const context of [...contexts, new Proxy({}, { get: fail, ownKeys: fail })]) {
          ServiceSDK.captureException(new Error(`context ${contexts.indexOf(context as never)}`), context as never);
        }
        ServiceSDK.captureException(undefined);
        Reflect.apply(ServiceSDK.captureException, undefined, []);
        Reflect.apply(ServiceSDK.captureMessage, undefined, []);
      },
      reports: [...['0', '1', '2', '3', '4', '-1'].map((index) => `context ${index}`), 'undefined'],
      warnings: [/W5/, /W12/],
    }),
    'viewport and language': abuse({
      script: () => void ServiceSDK.captureMessage('device'),
      reports: ['device'],
      check: ([report]) =>
        expect(report?.device).toMatchObject({
          viewport: expect.stringMatching(/^\d+x\d+$/),
          language: expect.any(String),
        }),
    }),
    'a navigator without language and connection': abuse({
      before: () => {
        for (const name of ['language', 'connection']) {
          Object.defineProperty(navigator, name, { configurable: true, get: () => undefined });
        }
      },
      script: () => void ServiceSDK.captureMessage('device'),
      reports: ['device'],
    }),
    'a navigator whose getters throw': abuse({
      before: () => {
        for (const name of ['language', 'connection']) {
          Object.defineProperty(navigator, name, {
            configurable: true,
            get() {
              throw new Error(`no ${name}`);
            },
          });
        }
      },
      script: () => void ServiceSDK.captureMessage('device'),
      reports: ['device'],
    }),
    'the release of a bundler plugin, and one of init()': abuse({
      options: null,
      before: () => {
        self.__serviceRelease = 'from the plugin';
      },
      script: async ({ options }) => {
        ServiceSDK.init(options);
        ServiceSDK.captureMessage('by the plugin');
        await ServiceSDK.close(60_000);
        ServiceSDK.init({ ...options, release: 'by hand' });
        ServiceSDK.captureMessage('by hand');
      },
      reports: ['by the plugin', 'by hand'],
      check: (reports) =>
        expect(reports.map(({ message, release }) => [message, release]).toSorted()).toEqual([
          ['by hand', 'by hand'],
          ['by the plugin', 'from the plugin'],
        ]),
    }),
    'debug ids of wrong types': abuse({
      before: () => {
        self.__serviceDebugIds = { 'no stack': 7, [new Error('here').stack ?? '']: null } as never;
      },
      script: () => {
        throw new Error('fails');
      },
      reports: ['fails'],
      uncaught: ['fails'],
    }),
  },
};
