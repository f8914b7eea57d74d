import { expect } from 'vitest';
import type { SdkPromise } from '../sdk-promise.ts';
import type { PageScript } from '../test-context.ts';
import { abuse, type Abuse } from './abuse-case.ts';
import { hurryRetries } from './hurry-retries.ts';

/** Returns a case whose page calls init() with a hostile callback, and then captures `fails`. */
function withCallback(init: PageScript, given: Partial<Abuse> = {}): ReturnType<typeof abuse> {
  return abuse({
    options: null,
    script: init,
    files: { 'fails.js': `ServiceSDK.captureException(new TypeError('fails'), { metadata: { hush: 'hush' } });` },
    html: '<script defer src="fails.js"></script>',
    isSilent: true,
    ...given,
  });
}

export const callbacks: SdkPromise = {
  promise: 'Callbacks that forget to return, throw, reject or never settle break nothing, and nothing unwanted is sent',
  cases: {
    'beforeSend that returns undefined sends what it changed': withCallback(
      ({ options }) =>
        ServiceSDK.init({
          ...options,
          beforeSend: ((report: { metadata?: object }) => {
            delete report.metadata;
          }) as never,
        }),
      {
        reports: ['fails'],
        isSilent: false,
        warnings: [/beforeSend returned no report.*W11/],
        check: ([report]) => expect(report).not.toHaveProperty('metadata'),
      },
    ),
    'beforeSend that returns null': withCallback(({ options }) =>
      ServiceSDK.init({ ...options, beforeSend: () => null }),
    ),
    'beforeSend that returns a promise of null': withCallback(({ options }) =>
      ServiceSDK.init({ ...options, beforeSend: async () => null }),
    ),
    'beforeSend that returns a promise of the report': withCallback(
      ({ options }) =>
        ServiceSDK.init({
          ...options,
          beforeSend: async (report) => {
            await new Promise((resolve) => setTimeout(resolve, 10));
            return { ...report, message: `changed: ${report.message}` };
          },
        }),
      { reports: ['changed: fails', 'changed: the error at the end'], isSilent: true },
    ),
    'beforeSend that throws': withCallback(
      ({ options }) =>
        ServiceSDK.init({
          ...options,
          beforeSend: () => {
            throw new Error('in beforeSend');
          },
        }),
      { warnings: [/W5/] },
    ),
    'beforeSend that rejects': withCallback(
      ({ options }) => ServiceSDK.init({ ...options, beforeSend: () => Promise.reject(new Error('in beforeSend')) }),
      { warnings: [/W5/] },
    ),
    'beforeSend that never settles': withCallback(
      ({ options }) =>
        ServiceSDK.init({
          ...options,
          beforeSend: (report) => (report.message === 'fails' ? new Promise(() => {}) : report),
        }),
      {
        isSilent: false,
        // The report waits for beforeSend forever, so flush() resolves with false.
        check: async (_, { page }) => {
          expect(await page.run(() => ServiceSDK.flush(50))).toBe(false);
        },
      },
    ),
    'beforeSend that returns a text, a number, true, an empty object': withCallback(
      ({ options }) => {
        const results: unknown[] = ['text', 7, true, {}, []];
        ServiceSDK.init({ ...options, beforeSend: () => results.pop() as never });
        for (let count = 0; count < 5; count++) ServiceSDK.captureMessage(`message ${count}`);
      },
      { html: '', warnings: [/W11/], reports: ['the error at the end'] },
    ),
    'beforeSend that captures an error itself': withCallback(
      ({ options }) =>
        ServiceSDK.init({
          ...options,
          beforeSend: (report) => {
            ServiceSDK.captureException(new Error('again'));
            return report;
          },
        }),
      { reports: ['fails'], isSilent: false },
    ),
    'beforeSend that logs and fetches': withCallback(
      ({ options }) =>
        ServiceSDK.init({
          ...options,
          beforeSend: (report) => {
            console.log(report);
            void fetch('watch.js');
            return report;
          },
        }),
      { reports: ['fails'], isSilent: false },
    ),
    'beforeSend that adds 5 MB, a cycle, a getter and an element': withCallback(
      ({ options }) =>
        ServiceSDK.init({
          ...options,
          beforeSend: (report) => {
            const cycle: Record<string, unknown> = { kept: 1 };
            cycle.itself = cycle;
            Object.defineProperty(cycle, 'fails', {
              enumerable: true,
              get() {
                throw new Error('no value');
              },
            });
            return { ...report, metadata: { cycle, element: document.documentElement, large: 'x'.repeat(5_000_000) } };
          },
        }),
      {
        reports: ['fails'],
        isSilent: false,
        check: ([report]) => {
          expect(report?.metadata).toMatchObject({ cycle: { kept: 1 } });
          expect(JSON.stringify(report).length).toBeLessThan(66_000);
        },
      },
    ),
    'beforeSend that freezes the report and returns a proxy': withCallback(
      ({ options }) => ServiceSDK.init({ ...options, beforeSend: (report) => new Proxy(Object.freeze(report), {}) }),
      { reports: ['fails'], isSilent: false },
    ),
    'beforeSend that changes the message to a number': withCallback(
      ({ options }) => ServiceSDK.init({ ...options, beforeSend: (report) => ({ ...report, message: 7 as never }) }),
      { warnings: [/W11/] },
    ),
    'beforeSend cannot bring back a secret': withCallback(
      ({ options }) =>
        ServiceSDK.init({
          ...options,
          beforeSend: (report) => ({ ...report, metadata: { url: '/?token=abc', password: 'hush' } }),
        }),
      {
        reports: ['fails'],
        isSilent: false,
        check: ([report]) => expect(report?.metadata).toEqual({ url: '/?token=[scrubbed]', password: '[scrubbed]' }),
      },
    ),
    'beforeBreadcrumb that throws drops the breadcrumb, and one that returns nothing keeps it': withCallback(
      ({ options }) => {
        ServiceSDK.init({
          ...options,
          beforeBreadcrumb: ({ data: { message }, ...breadcrumb }) => {
            if (message === 'throws') throw new Error('in beforeBreadcrumb');
            return message === 'null'
              ? null
              : message === 'kept'
                ? { ...breadcrumb, data: { message } }
                : (undefined as never);
          },
        });
        for (const message of ['kept', 'throws', 'null', 'undefined']) ServiceSDK.addBreadcrumb({ message });
      },
      {
        reports: ['fails'],
        isSilent: false,
        warnings: [/W5/, /beforeBreadcrumb returned no breadcrumb/],
        check: ([report]) =>
          expect(report?.breadcrumbs?.map(({ data }) => data)).toEqual([{ message: 'kept' }, { message: 'undefined' }]),
      },
    ),
    'beforeBreadcrumb that logs, fetches and captures': withCallback(
      ({ options }) => {
        let calls = 0;
        ServiceSDK.init({
          ...options,
          beforeBreadcrumb: (breadcrumb) => {
            calls++;
            console.log('a breadcrumb');
            ServiceSDK.addBreadcrumb({ message: 'a breadcrumb about a breadcrumb' });
            ServiceSDK.captureException(new Error('in beforeBreadcrumb'));
            return breadcrumb;
          },
        });
        console.log('begun');
        if (calls > 20) throw new Error(`called ${calls} times`);
      },
      { reports: ['fails'], isSilent: false },
    ),
    'beforeBreadcrumb that returns odd values': withCallback(
      ({ options }) => {
        const results: unknown[] = [
          7,
          'text',
          true,
          [],
          { type: 7, category: null, data: 'text' },
          Promise.resolve(null),
        ];
        ServiceSDK.init({ ...options, beforeBreadcrumb: () => results.pop() as never });
        for (let count = 0; count < 6; count++) ServiceSDK.addBreadcrumb({ message: String(count) });
      },
      { reports: ['fails'], isSilent: false, warnings: [/beforeBreadcrumb returned no breadcrumb/] },
    ),
    'a transport that throws, rejects, answers nothing and answers a text': withCallback(
      ({ options }) => {
        const answers = [
          () => {
            throw new Error('no transport');
          },
          () => Promise.reject(new Error('no transport')),
          () => undefined,
          () => ({ status: '200' }),
        ];
        let calls = 0;
        ServiceSDK.init({ ...options, transport: () => answers[calls++ % answers.length]?.() as never });
        for (let count = 0; count < 4; count++) ServiceSDK.captureMessage(`message ${count}`);
      },
      {
        html: '',
        warnings: [/W10/],
        before: hurryRetries,
      },
    ),
    'a transport that never answers': withCallback(
      ({ options }) => ServiceSDK.init({ ...options, transport: () => new Promise(() => {}) }),
      {
        check: async (_, { page }) => {
          expect(await page.run(() => ServiceSDK.flush(50))).toBe(false);
        },
      },
    ),
    'withScope whose callback throws': abuse({
      script: () => {
        try {
          ServiceSDK.withScope((scope) => {
            scope.setTag('inside', true);
            throw new Error('in the scope');
          });
        } catch (error) {
          ServiceSDK.captureException(error);
        }
      },
      reports: ['in the scope'],
      check: ([report]) => expect(report).not.toHaveProperty('tags'),
    }),
    'window.onerror of the page that captures and throws': abuse({
      replacesOnerror: true,
      before: () => {
        // oxlint-disable-next-line unicorn/prefer-add-event-listener -- this handler is tested
        window.onerror = (_message, _file, _line, _column, error) => {
          ServiceSDK.captureException(error);
          throw new Error('in the handler');
        };
      },
      script: () => {
        throw new Error('fails');
      },
      // Browsers do not report what a handler of errors throws.
      reports: ['fails'],
      uncaught: ['fails'],
    }),
    'an error listener of the page that throws': abuse({
      script: () => {
        let count = 0;
        addEventListener('error', () => {
          if (count++ < 3) throw new Error(`in the listener ${count}`);
        });
        throw new Error('fails');
      },
      reports: ['fails'],
      uncaught: ['fails'],
    }),
  },
};
