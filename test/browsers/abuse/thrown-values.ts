/* oxlint-disable typescript/only-throw-error, typescript/prefer-promise-reject-errors -- pages throw anything */
import { expect } from 'vitest';
import type { SdkPromise } from '../sdk-promise.ts';
import { abuse } from './abuse-case.ts';

export const thrownValues: SdkPromise = {
  promise: 'Values that are unreadable or not errors are reported with a text that distinguishes them',
  cases: {
    'an event': abuse({
      script: () => {
        throw new Event('refused');
      },
      reports: ['Event refused of Null'],
      uncaught: [/./],
    }),
    'a rejection with the event of an image': abuse({
      script: () => {
        const image = new Image();
        document.documentElement.append(image);
        return new Promise((_, reject) => {
          image.addEventListener('error', reject);
          image.src = 'no-such-image.png';
        });
      },
      reports: [
        /^Could not load http.*no-such-image\.png$/,
        /^Event error of HTMLImageElement http.*no-such-image\.png$/,
      ],
      uncaught: [/Event/],
    }),
    'a rejection with a Response': abuse({
      script: async () => {
        throw await fetch('no-such-file.json');
      },
      reports: [/^Response 404 http.*no-such-file\.json$/],
      uncaught: [/Response/],
    }),
    'a rejection with a plain object': abuse({
      script: () => Promise.reject({ type: 'quota', status: 402, nested: { fields: [1, 2] } }),
      reports: ['{"type":"quota","status":402,"nested":{"fields":[1,2]}}'],
      uncaught: [/object/],
    }),
    'code, status and other own properties of an error': abuse({
      script: () => {
        throw Object.assign(new Error('payment refused'), { code: 'E_CARD', status: 402, details: { retry: false } });
      },
      reports: ['payment refused'],
      uncaught: ['payment refused'],
      check: ([report]) =>
        expect(report?.metadata).toEqual({ error: { code: 'E_CARD', status: 402, details: { retry: false } } }),
    }),
    'an own property whose getter throws': abuse({
      script: () => {
        const error = Object.assign(new Error('half readable'), { status: 500 });
        Object.defineProperty(error, 'config', {
          enumerable: true,
          get() {
            throw new Error('no config');
          },
        });
        throw error;
      },
      reports: ['half readable'],
      uncaught: ['half readable'],
      check: ([report]) => expect(report?.metadata).toMatchObject({ error: { status: 500 } }),
    }),
    'a symbol': abuse({
      script: () => {
        throw Symbol('stop');
      },
      reports: ['Symbol(stop)'],
      uncaught: [/./],
    }),
    'an object without a prototype': abuse({
      script: () => {
        throw Object.assign(Object.create(null), { reason: 'bare' });
      },
      reports: ['{"reason":"bare"}'],
      uncaught: [/./],
    }),
    'an object without a prototype that has a message': abuse({
      script: () => {
        throw Object.assign(Object.create(null), { message: 'bare' });
      },
      reports: ['bare'],
      uncaught: ['bare'],
    }),
    'a bigint, a function and an empty text': abuse({
      script: () => {
        setTimeout(() => {
          throw 12n;
        });
        setTimeout(() => {
          throw function thrown() {};
        });
        setTimeout(() => {
          throw '';
        });
      },
      reports: ['12', /^function thrown/, /./],
      uncaught: [/./, /./, /^$|./],
    }),
    'a proxy whose every trap throws': abuse({
      script: () => {
        const fail = (): never => {
          throw new Error('trap');
        };
        throw new Proxy(new Error('behind a proxy'), {
          get: fail,
          has: fail,
          ownKeys: fail,
          getPrototypeOf: fail,
          getOwnPropertyDescriptor: fail,
        });
      },
      reports: [/./],
      uncaught: [/./],
    }),
    'a revoked proxy, captured with a revoked context': abuse({
      script: () => {
        const revoked = (): object => {
          const { proxy, revoke } = Proxy.revocable({}, {});
          revoke();
          return proxy;
        };
        ServiceSDK.captureException(revoked(), { metadata: { inner: revoked() }, tags: { revoked: 'no' } });
        ServiceSDK.captureException(new Error('with a revoked context'), revoked());
      },
      reports: [/./, 'with a revoked context'],
      warnings: [/W5/],
    }),
    'a proxy of endless proxies': abuse({
      script: () => {
        const endless = (): object => new Proxy({}, { get: (_, key) => (key === 'message' ? 'endless' : endless()) });
        throw endless();
      },
      reports: ['endless'],
      uncaught: ['endless'],
    }),
    'a cycle of causes': abuse({
      script: () => {
        const [first, second] = [new Error('first'), new Error('second')];
        first.cause = second;
        second.cause = first;
        throw first;
      },
      reports: ['first'],
      uncaught: ['first'],
      check: ([report]) => expect(report?.stacktrace?.match(/Caused by/g)).toHaveLength(1),
    }),
    'an error that is its own cause': abuse({
      script: () => {
        const error = new Error('myself');
        error.cause = error;
        throw error;
      },
      reports: ['myself'],
      uncaught: ['myself'],
      check: ([report]) => expect(report?.stacktrace).not.toContain('Caused by'),
    }),
    '10,000 causes': abuse({
      script: () => {
        let error = new Error('the first');
        for (let depth = 0; depth < 10_000; depth++) error = new Error(`depth ${depth}`, { cause: error });
        throw error;
      },
      reports: ['depth 9999'],
      uncaught: ['depth 9999'],
    }),
    'causes that are not errors': abuse({
      script: () => {
        for (const cause of [null, 0, 'a text', { code: 7 }, Symbol('cause')]) {
          ServiceSDK.captureException(new Error(`cause ${String(cause)}`, { cause }));
        }
      },
      reports: ['cause null', 'cause 0', 'cause a text', 'cause [object Object]', 'cause Symbol(cause)'],
    }),
    'an AggregateError with 10,000 members, and one that contains itself': abuse({
      script: () => {
        const members = Array.from({ length: 10_000 }, (_, index) => new Error(`member ${index}`));
        ServiceSDK.captureException(new AggregateError(members, 'many'));
        const circle = new AggregateError([], 'circle');
        circle.errors.push(circle);
        ServiceSDK.captureException(circle);
      },
      reports: ['many', 'circle'],
    }),
    'a message and a stack of 1 MB': abuse({
      script: () => {
        const error = new Error('m'.repeat(1_000_000));
        error.stack = `Error\n${'    at f (https://shop.test/a.js:1:2)\n'.repeat(25_000)}`;
        throw error;
      },
      reports: [/^m{5000}/],
      uncaught: [/^m+$/],
      check: ([report]) => expect(JSON.stringify(report).length).toBeLessThan(65_000),
    }),
    'an own property of 5 MB': abuse({
      script: () => {
        throw Object.assign(new Error('heavy'), { body: 'x'.repeat(5_000_000), status: 500 });
      },
      reports: ['heavy'],
      uncaught: ['heavy'],
      check: ([report]) => expect(JSON.stringify(report).length).toBeLessThan(65_000),
    }),
    '10,000 own properties': abuse({
      script: () => {
        const error = new Error('wide');
        for (let key = 0; key < 10_000; key++) Reflect.set(error, `key${key}`, key);
        throw error;
      },
      reports: ['wide'],
      uncaught: ['wide'],
      check: ([report]) => expect(JSON.stringify(report).length).toBeLessThan(65_000),
    }),
    'a message, a name and a stack of wrong types': abuse({
      script: () => {
        const wrong = [Symbol('wrong'), 7, null, { toString: null }, []];
        for (const value of wrong) {
          const error = new Error(`wrong ${wrong.indexOf(value)}`);
          Object.defineProperty(error, 'name', { value });
          Object.defineProperty(error, 'stack', { value });
          ServiceSDK.captureException(error);
        }
        const noText = new Error('hidden');
        Object.defineProperty(noText, 'message', { value: { a: 1 } });
        ServiceSDK.captureException(noText);
      },
      reports: ['wrong 0', 'wrong 1', 'wrong 2', 'wrong 3', 'wrong 4', /./],
    }),
    'toJSON that throws, returns itself or a bigint': abuse({
      script: () => {
        const fail = (): never => {
          throw new Error('no JSON');
        };
        const itself = { toJSON: (): unknown => itself, a: 1 };
        ServiceSDK.captureException({ toJSON: fail, a: 1 });
        ServiceSDK.captureException(itself);
        ServiceSDK.captureException(new Error('metadata'), {
          metadata: { kept: 1, fails: { toJSON: fail }, itself, big: { toJSON: () => 1n } },
        });
      },
      reports: ['metadata', /./, /./],
      check: (reports) =>
        expect(reports.find(({ message }) => message === 'metadata')?.metadata).toMatchObject({ kept: 1 }),
    }),
    'toString and Symbol.toPrimitive that throw': abuse({
      script: () => {
        const fail = (): never => {
          throw new Error('no text');
        };
        const silent = { toString: fail, [Symbol.toPrimitive]: fail, toJSON: undefined };
        console.log(silent);
        ServiceSDK.captureException(new Error('metadata'), { metadata: { silent } });
        throw silent;
      },
      reports: ['metadata', /./],
      uncaught: [/./],
    }),
    'an error of a frame that was removed': abuse({
      script: () => {
        const frame = document.documentElement.appendChild(document.createElement('iframe'));
        const { TypeError: Foreign, DOMException: ForeignException } = frame.contentWindow as Window &
          typeof globalThis;
        const errors = [new Foreign('detached'), new ForeignException('detached too', 'AbortError')];
        frame.remove();
        for (const error of errors) ServiceSDK.captureException(error);
      },
      reports: ['detached', 'detached too'],
    }),
    'an error inside a frame without the SDK is not an error of the page': abuse({
      html: `<iframe srcdoc="<script>throw new Error('in the frame')</script>"></iframe>`,
    }),
    'a window of another origin': abuse({
      html: '<iframe src="data:text/html,other" sandbox></iframe>',
      script: () => {
        console.log(frames[0]);
        ServiceSDK.captureException(frames[0]);
        ServiceSDK.captureException(new Error('metadata'), { metadata: { kept: 1, frame: frames[0] } });
      },
      reports: [/./, 'metadata'],
      check: (reports) =>
        expect(reports.find(({ message }) => message === 'metadata')?.metadata).toMatchObject({ kept: 1 }),
    }),
    'the window, a document, an element and a map': abuse({
      script: () => {
        for (const value of [window, document, document.documentElement, new Map([[1, 2]]), /x/g, new Date(NaN)]) {
          ServiceSDK.captureException(value);
        }
      },
      reports: [/Window|global/i, /Document/, /HTMLHtmlElement/, /Map/, /RegExp|x/, /./],
    }),
    'half a surrogate pair, a null byte and a message that ends in half an emoji': abuse({
      script: () => {
        ServiceSDK.captureMessage('lone \ud83d end');
        ServiceSDK.captureMessage('null \0 byte');
        ServiceSDK.captureMessage(`${'x'.repeat(4_999)}😀😀`);
        console.log(`${'y'.repeat(255)}😀`);
        ServiceSDK.captureException(new Error('tagged'), { tags: { emoji: `${'z'.repeat(199)}😀😀` } });
      },
      reports: [/^lone . end$/u, 'null \0 byte', /^x{4999}…?$/u, 'tagged'],
      check: (_, { sink }) => {
        for (const { body } of sink.posts()) expect(body.replace(/lone \S+/, '')).not.toMatch(/\\ud[89a-f]/i);
      },
    }),
    'an empty message': abuse({
      script: function checkout() {
        throw new RangeError();
      },
      reports: [/./],
      uncaught: [''],
      check: ([report]) => expect(report).toMatchObject({ type: 'RangeError' }),
    }),
    'a message that changes after the error was captured': abuse({
      script: () => {
        const error = new Error('as thrown');
        ServiceSDK.captureException(error);
        error.message = 'changed';
        error.stack = 'changed';
      },
      reports: ['as thrown'],
    }),
    'an object of a class with an inherited message': abuse({
      script: () => {
        class Refusal {
          name = 'Refusal';
          get message(): string {
            return 'inherited';
          }
        }
        throw new Refusal();
      },
      reports: ['inherited'],
      uncaught: ['inherited'],
      check: ([report]) => expect(report).toMatchObject({ type: 'Refusal' }),
    }),
    'error events, rejection events and custom events that are captured': abuse({
      script: () => {
        const error = new Error('inside an event');
        ServiceSDK.captureException(new ErrorEvent('error', { error, message: 'outside' }));
        const promise = Promise.resolve();
        ServiceSDK.captureException(new PromiseRejectionEvent('unhandledrejection', { promise, reason: 'refused' }));
        const detail: Record<string, unknown> = {};
        detail.itself = detail;
        ServiceSDK.captureException(new CustomEvent('failed', { detail }));
        ServiceSDK.captureException(new ErrorEvent('error', { message: 'text only', filename: '/a.js', lineno: 3 }));
      },
      reports: ['inside an event', 'refused', 'CustomEvent failed of Null', 'text only'],
    }),
    'events that pages dispatch themselves': abuse({
      script: () => {
        dispatchEvent(new Event('error'));
        dispatchEvent(new CustomEvent('error', { detail: 'odd' }));
        dispatchEvent(new ErrorEvent('error', { message: 'by hand' }));
      },
      // The listener of the watcher ignores events without a message, like those of failed resources: only `onerror`
      // gets all three.
      reports: ['by hand', 'Event error of Window', 'CustomEvent error of Window'],
      uncaught: ['by hand'],
    }),
    'errors of eval and of a blob': abuse({
      script: () => {
        const run = (url: string): Promise<unknown> =>
          new Promise((resolve) => {
            const element = Object.assign(document.createElement('script'), { src: url, onload: resolve });
            document.documentElement.append(element);
          });
        // oxlint-disable-next-line no-eval -- pages do
        setTimeout(() => (0, eval)(`throw new Error('from eval')`));
        return run(URL.createObjectURL(new Blob([`throw new Error('from a blob')`])));
      },
      reports: ['from eval', 'from a blob'],
      uncaught: ['from eval', 'from a blob'],
    }),
    'a stack overflow, and an error that is captured in each of its frames': abuse({
      script: () => {
        const recurse = (): void => {
          try {
            recurse();
          } catch (error) {
            ServiceSDK.captureException(error);
            throw error;
          }
        };
        recurse();
      },
      reports: [/call stack|recursion/i],
      uncaught: [/call stack|recursion/i],
    }),
    'a rejection that is handled late': abuse({
      script: async () => {
        const promise = Promise.reject(new Error('handled late'));
        await new Promise((resolve) => setTimeout(resolve, 20));
        await promise.catch(() => {});
      },
      reports: ['handled late'],
      uncaught: ['handled late'],
    }),
    'captureMessage with values that are not texts': abuse({
      script: () => {
        for (const value of [undefined, null, 7, Symbol('text'), { a: 1 }]) ServiceSDK.captureMessage(value as never);
      },
      reports: ['undefined', 'null', '7', 'Symbol(text)', '{"a":1}'],
    }),
    'the same error captured, thrown and rejected': abuse({
      script: () => {
        const error = new Error('three ways');
        ServiceSDK.captureException(error);
        void Promise.reject(error);
        throw error;
      },
      reports: ['three ways'],
      uncaught: ['three ways', 'three ways'],
    }),
  },
};
