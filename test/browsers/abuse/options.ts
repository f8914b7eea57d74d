import { expect } from 'vitest';
import type { SdkPromise } from '../sdk-promise.ts';
import { abuse, type Abuse } from './abuse-case.ts';
import { hurryRetries } from './hurry-retries.ts';

/** Returns a case with hostile options. The page throws `fails`, which is reported unless `given` says otherwise. */
function withOptions(options: object, given: Partial<Abuse> = {}): ReturnType<typeof abuse> {
  return abuse({
    options: options as NonNullable<Abuse['options']>,
    script: () => {
      throw new TypeError('fails');
    },
    reports: ['fails'],
    uncaught: ['fails'],
    ...given,
  });
}

/** Returns a case whose page calls init() itself, with something that is no options. */
const withoutOptions = (init: NonNullable<Abuse['script']>): ReturnType<typeof abuse> =>
  abuse({ options: null, script: init, isSilent: true, warnings: [/init\(\) needs apiKey and endpoint.*W2/] });

const names = [
  'environment',
  'release',
  'beforeSend',
  'beforeBreadcrumb',
  'transport',
  'ignoreErrors',
  'allowUrls',
  'denyUrls',
  'ignore',
  'breadcrumbs',
  'integrations',
  'sampleRate',
  'maxBreadcrumbs',
  'sendUserDetails',
  'debug',
];

export const options: SdkPromise = {
  promise: 'Options that are misspelled or of a wrong type are named and ignored, null ones only ignored',
  cases: {
    'null for every option': withOptions(Object.fromEntries(names.map((name) => [name, null]))),
    'null for ignoreErrors and an error that says null': withOptions(
      { ignoreErrors: null, allowUrls: null },
      {
        script: () => {
          throw new TypeError('null is not an object');
        },
        reports: ['null is not an object'],
        uncaught: ['null is not an object'],
      },
    ),
    'misspelled options': withOptions(
      { sampelRate: 0, ignoreError: ['fails'], Release: '1.0.0', dsn: 'https://x' },
      {
        warnings: [
          /Unknown option sampelRate. The nearest is sampleRate/,
          /Unknown option ignoreError. The nearest is ignoreErrors/,
          /Unknown option Release. The nearest is release/,
          /Unknown option dsn/,
        ],
      },
    ),
    'every option of a wrong type': withOptions(
      {
        environment: 1,
        release: {},
        beforeSend: 'send',
        beforeBreadcrumb: 1,
        transport: [],
        ignoreErrors: 'fails',
        allowUrls: 7,
        denyUrls: true,
        ignore: false,
        breadcrumbs: false,
        integrations: 'all',
        sampleRate: '0',
        maxBreadcrumbs: '0',
        sendUserDetails: 'no',
        debug: 'yes',
      },
      { warnings: Array.from({ length: 15 }, () => /Option \w+ must be of type \w+\. \[W4\]$/) },
    ),
    'init() without options': withoutOptions(() => ServiceSDK.init(undefined as never)),
    'init(null)': withoutOptions(() => ServiceSDK.init(null as never)),
    'init() with a text, a number and a function': withoutOptions(() => {
      for (const value of ['pk', 7, () => {}]) ServiceSDK.init(value as never);
    }),
    'init() with an apiKey that is a number': abuse({
      options: null,
      script: ({ options: { endpoint } }) => ServiceSDK.init({ apiKey: 7 as never, endpoint }),
      isSilent: true,
      warnings: [/Option apiKey must be of type string/, /init\(\) needs apiKey and endpoint/],
    }),
    'options whose getters throw, and a revoked proxy': withoutOptions(() => {
      ServiceSDK.init({
        get apiKey(): string {
          throw new Error('no key');
        },
        endpoint: 'https://x',
      });
      const { proxy, revoke } = Proxy.revocable({ apiKey: 'pk', endpoint: 'https://x' }, {});
      revoke();
      ServiceSDK.init(proxy);
    }),
    'frozen options, which the page then cannot change': abuse({
      options: null,
      script: ({ options: given }) => {
        ServiceSDK.init(Object.freeze(given));
        throw new Error('fails');
      },
      reports: ['fails'],
      uncaught: ['fails'],
    }),
    'options that change after init()': abuse({
      options: null,
      script: ({ options: given }) => {
        const changing = { ...given, release: '1.0.0' };
        ServiceSDK.init(changing);
        changing.release = '2.0.0';
        changing.apiKey = 'pk_other';
        throw new Error('fails');
      },
      reports: ['fails'],
      uncaught: ['fails'],
      check: ([report]) => expect(report).toMatchObject({ release: '1.0.0', project_api_key: 'pk_browsers' }),
    }),
    'an endpoint with a slash at its end': abuse({
      options: null,
      script: ({ options: { apiKey, endpoint } }) => ServiceSDK.init({ apiKey, endpoint: `${endpoint}/` }),
    }),
    'an endpoint that is no URL': abuse({
      options: { endpoint: 'https://[' },
      isSilent: true,
      warnings: [/W10/],
      before: hurryRetries,
    }),
    'sampleRate 0': withOptions({ sampleRate: 0 }, { reports: [], isSilent: true }),
    'sampleRate 2': withOptions({ sampleRate: 2 }),
    'maxBreadcrumbs 0': withOptions(
      { maxBreadcrumbs: 0 },
      { before: () => {}, check: ([report]) => expect(report?.breadcrumbs).toBeUndefined() },
    ),
    'maxBreadcrumbs -1': withOptions({ maxBreadcrumbs: -1 }),
    'a pattern with the flag g, an empty list, and undefined in place of a list': abuse({
      options: null,
      script: ({ options: given }) => {
        ServiceSDK.init({ ...given, ignoreErrors: [/unwanted/g], denyUrls: [], allowUrls: undefined });
        for (let count = 0; count < 3; count++) ServiceSDK.captureMessage(`unwanted ${count}`);
        ServiceSDK.captureMessage('wanted');
      },
      reports: ['wanted'],
    }),
    'denyUrls that match no script of the page, and allowUrls that match each': abuse({
      options: { denyUrls: ['/no-such-script.js'], allowUrls: ['/script.js', 'watch.js'] },
      script: () => {
        throw new Error('fails');
      },
      reports: ['fails'],
      uncaught: ['fails'],
    }),
    'patterns that are no patterns': abuse({
      options: null,
      script: ({ options: given }) => {
        ServiceSDK.init({ ...given, ignoreErrors: [null, 7, {}, undefined] as never });
        ServiceSDK.captureMessage('first');
      },
      reports: ['first'],
    }),
    'integrations that throw, return nothing, or are no functions': abuse({
      options: null,
      script: ({ options: given }) => {
        ServiceSDK.init({
          ...given,
          integrations: [
            () => {
              throw new Error('no integration');
            },
            () => undefined,
            null as never,
            {} as never,
          ],
        });
        throw new Error('fails');
      },
      reports: ['fails'],
      uncaught: ['fails'],
      warnings: [/W5/],
    }),
    'debug writes each report to the console and nothing else': abuse({
      options: { debug: true },
      script: () => {
        throw new Error('fails');
      },
      reports: ['fails'],
      uncaught: ['fails'],
      warnings: ['[ServiceSDK]', '[ServiceSDK]'],
    }),
  },
};
