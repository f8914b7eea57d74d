import { expect } from 'vitest';
import type { Report } from '../../../packages/browser/src/index.ts';
import type { PageScript, PageSource, Scene } from '../scene.ts';
import type { Promised } from './promised.ts';

/** What has to stand in the one report of an error. */
interface Told {
  /** Undefined for what is no error. */
  type: string | RegExp | undefined;
  message: string | RegExp;
  /** Patterns that the stack trace fits, all of them. */
  stacktrace: RegExp[];
}

/** A frame of the function `checkout` in the page's own script, as each of the engines writes it. */
const inCheckout = /\n\s*(at )?checkout(@| \()http:\/\/127\.0\.0\.1:\d+\/\d+\/script\.js:\d+:\d+/;
/** The place that the browser tells where there are no frames. */
const place = /^ {4}at http:\/\/127\.0\.0\.1:\d+\/\d+\/script\.js:\d+:\d+$/;

const titled = (title: string): RegExp => new RegExp(`^${title}\n`);

/** A case: whatever the page's script throws is one report, and this is what it tells. */
function shape(thrower: PageScript, told: Told, source: PageSource = {}): (scene: Scene) => Promise<void> {
  return async ({ open, sink }) => {
    const page = await open({ ...source, script: thrower });
    await sink.reports(1);
    await page.flush();
    const reports = await sink.reports(1);
    expect(reports, 'reports of one error').toHaveLength(1);
    expectTold(reports[0] as Report, told);
    expect(await page.warnings()).toEqual([]);
  };
}

function expectTold({ type, message, stacktrace }: Report, told: Told): void {
  expect({ type: String(type), message }).toEqual({
    type: fitting(told.type ?? 'undefined'),
    message: fitting(told.message),
  });
  expect(message).not.toMatch(/uncaught/i);
  for (const pattern of told.stacktrace) expect(stacktrace).toMatch(pattern);
  if (told.stacktrace.length === 0) expect(stacktrace).toBeUndefined();
}

const fitting = (told: string | RegExp): unknown => (told instanceof RegExp ? expect.stringMatching(told) : told);

export const errorShapes: Promised = {
  promise: 'Error shapes: class, message and stack are right, whatever is thrown',
  cases: {
    'an error': shape(
      function checkout() {
        throw new TypeError('no cart');
      },
      { type: 'TypeError', message: 'no cart', stacktrace: [titled('TypeError: no cart'), inCheckout] },
    ),
    'an error of a class of its own': shape(
      function checkout() {
        class CheckoutError extends Error {
          override name = 'CheckoutError';
        }
        throw new CheckoutError('declined');
      },
      { type: 'CheckoutError', message: 'declined', stacktrace: [titled('CheckoutError: declined'), inCheckout] },
    ),
    'a text': shape(
      () => {
        // oxlint-disable-next-line typescript/only-throw-error -- pages do
        throw 'plain words';
      },
      { type: undefined, message: 'plain words', stacktrace: [place] },
    ),
    'an object': shape(
      () => {
        // oxlint-disable-next-line typescript/only-throw-error -- pages do
        throw { status: 418, reason: 'teapot' };
      },
      { type: undefined, message: '{"status":418,"reason":"teapot"}', stacktrace: [place] },
    ),
    undefined: shape(
      () => {
        // oxlint-disable-next-line typescript/only-throw-error -- pages do
        throw undefined;
      },
      { type: undefined, message: 'undefined', stacktrace: [place] },
    ),
    'a rejection with an error': shape(
      async function checkout() {
        throw new RangeError('too far');
      },
      { type: 'RangeError', message: 'too far', stacktrace: [titled('RangeError: too far'), inCheckout] },
    ),
    'a rejection with a text': shape(() => void Promise.reject('no network'), {
      type: undefined,
      message: 'no network',
      stacktrace: [],
    }),
    'a rejection with an object': shape(() => void Promise.reject({ reason: 'teapot' }), {
      type: undefined,
      message: '{"reason":"teapot"}',
      stacktrace: [],
    }),
    'a rejection with undefined': shape(() => void Promise.reject(), {
      type: undefined,
      message: 'undefined',
      stacktrace: [],
    }),
    'causes, three deep': shape(
      function checkout() {
        const first = new RangeError('status 500');
        const second = new TypeError('no answer', { cause: first });
        throw new Error('no order', { cause: second });
      },
      {
        type: 'Error',
        message: 'no order',
        stacktrace: [
          titled('Error: no order'),
          inCheckout,
          new RegExp(`\nCaused by: TypeError: no answer${inCheckout.source}`),
          new RegExp(`\nCaused by: RangeError: status 500${inCheckout.source}`),
        ],
      },
    ),
    'an AggregateError with its members': shape(
      function checkout() {
        throw new AggregateError([new TypeError('first way closed'), new RangeError('second way closed')], 'no way');
      },
      {
        type: 'AggregateError',
        message: 'no way',
        stacktrace: [
          titled('AggregateError: no way'),
          inCheckout,
          new RegExp(`TypeError: first way closed${inCheckout.source}`),
          new RegExp(`RangeError: second way closed${inCheckout.source}`),
        ],
      },
    ),
    'a DOMException': shape(
      function checkout() {
        throw new DOMException('aborted by hand', 'AbortError');
      },
      { type: 'AbortError', message: 'aborted by hand', stacktrace: [/script\.js:\d+:\d+/] },
    ),
    'a frozen error': shape(
      function checkout() {
        throw Object.freeze(new RangeError('cold'));
      },
      { type: 'RangeError', message: 'cold', stacktrace: [titled('RangeError: cold'), inCheckout] },
    ),
    'an error of another realm': shape(
      function checkout() {
        const { contentWindow } = document.querySelector('iframe') as HTMLIFrameElement;
        const Foreign = Reflect.get(contentWindow as object, 'TypeError') as typeof TypeError;
        throw new Foreign('far away');
      },
      { type: 'TypeError', message: 'far away', stacktrace: [titled('TypeError: far away'), /script\.js:\d+:\d+/] },
      { html: '<iframe></iframe>' },
    ),
    'an error whose getters throw': shape(
      () => {
        const error = new Error('fine');
        for (const key of ['name', 'stack', 'cause']) {
          Object.defineProperty(error, key, {
            get() {
              throw new Error(`no ${key}`);
            },
          });
        }
        throw error;
      },
      // Its class can't be known.
      { type: /^(Error|undefined)$/, message: 'fine', stacktrace: [/script\.js:\d+:\d+/] },
    ),
    'an image that fails to load': shape(
      () => document.documentElement.append(Object.assign(new Image(), { src: 'no-such-image.png' })),
      { type: undefined, message: /no-such-image\.png/, stacktrace: [] },
    ),
    'an error that is captured and then thrown': shape(
      function checkout() {
        const error = new TypeError('once');
        ServiceSDK.captureException(error);
        throw error;
      },
      { type: 'TypeError', message: 'once', stacktrace: [titled('TypeError: once'), inCheckout] },
    ),
  },
};

export const oddShapes: Promised = {
  promise: 'Odd error shapes: the same of what is seldom thrown',
  cases: {
    null: shape(
      () => {
        // oxlint-disable-next-line typescript/only-throw-error -- pages do
        throw null;
      },
      { type: undefined, message: 'null', stacktrace: [place] },
    ),
    'a number': shape(
      () => {
        // oxlint-disable-next-line typescript/only-throw-error -- pages do
        throw 42;
      },
      { type: undefined, message: '42', stacktrace: [place] },
    ),
    'a revoked proxy': shape(
      () => {
        const { proxy, revoke } = Proxy.revocable({}, {});
        revoke();
        throw proxy;
      },
      { type: undefined, message: /./, stacktrace: [place] },
    ),
    'an object that contains itself': shape(
      () => {
        const circle: Record<string, unknown> = { name: 'circle' };
        circle.self = circle;
        // oxlint-disable-next-line typescript/only-throw-error -- pages do
        throw circle;
      },
      { type: undefined, message: /^\{"name":"circle"/, stacktrace: [place] },
    ),
    'an error without a stack': shape(
      () => {
        const error = new Error('bare');
        Object.defineProperty(error, 'stack', { value: undefined });
        throw error;
      },
      { type: 'Error', message: 'bare', stacktrace: [/script\.js:\d+:\d+/] },
    ),
    'a script that can not be read': shape(
      () => {},
      { type: 'SyntaxError', message: /./, stacktrace: [/broken\.js:3:\d+/] },
      { html: '<script defer src="broken.js"></script>', files: { 'broken.js': '\n\nlet let = 1;\n' } },
    ),
    'a stack that overflows': shape(
      function checkout() {
        const deeper = (): number => deeper() + 1;
        deeper();
      },
      { type: /^(RangeError|InternalError)$/, message: /./, stacktrace: [/script\.js:\d+:\d+/] },
    ),
    'an error in a timer, a listener and an inline handler': async ({ open, sink }) => {
      const page = await open({
        html: `<button id="inline" onclick="throw new Error('inline')">Buy</button>`,
        script: () => {
          setTimeout(function timer() {
            throw new Error('timer');
          });
          document.querySelector('button')?.addEventListener('click', function listener() {
            throw new Error('listener');
          });
          document.querySelector('button')?.click();
        },
      });
      await sink.reports(3);
      await page.flush();
      const told = (await sink.reports(3)).map(({ type, message, stacktrace }) => [
        type,
        message,
        /script\.js:\d+:\d+|\/\d+\/:\d+:\d+/.test(String(stacktrace)),
      ]);
      expect(told.toSorted()).toEqual([
        ['Error', 'inline', true],
        ['Error', 'listener', true],
        ['Error', 'timer', true],
      ]);
    },
    'an error of a module, and an import that fails': async ({ open, sink }) => {
      const page = await open({
        html: '<script type="module" src="module.js"></script>',
        files: {
          'module.js': `import('./none.js');\nfunction checkout() { throw new TypeError('in a module'); }\ncheckout();`,
        },
      });
      await sink.reports(2);
      await page.flush();
      const [imported, thrown, ...more] = (await sink.reports(2))
        .toSorted((a, b) => a.message.length - b.message.length)
        .toReversed();
      expect(more).toEqual([]);
      expect(imported).toMatchObject({ type: 'TypeError', message: expect.stringMatching(/import|module/i) });
      expect(thrown).toMatchObject({ type: 'TypeError', message: 'in a module' });
      expect(thrown?.stacktrace).toMatch(/checkout(@| \().*module\.js:2:\d+/);
    },
    'a script of another origin: what the browser hides is dropped with a hint': async ({ open, sink, elsewhere }) => {
      const foreign = elsewhere.add({ 'fails.js': `throw new RangeError('of somebody else')` });
      const page = await open({
        html: `<script defer src="${foreign}fails.js"></script>`,
        before: () => {
          self.told = [];
          addEventListener('error', ({ message }) => self.told.push(message));
        },
      });
      await page.flush();
      const [told] = await page.run(() => self.told);
      if (told === 'Script error.') {
        expect(sink.requests).toEqual([]);
        expect(await page.warnings()).toEqual([expect.stringMatching(/crossorigin/)]);
      } else {
        // Firefox hides nothing.
        expect((await sink.reports(1)).map(({ message }) => message)).toEqual(['of somebody else']);
      }
    },
    'what a browser says that hides something is dropped with a hint': async ({ open, sink, page }) => {
      await open({ script: () => dispatchEvent(new ErrorEvent('error', { message: 'Script error.' })) });
      await page.flush();
      expect(sink.requests).toEqual([]);
      expect(await page.warnings()).toEqual([expect.stringMatching(/crossorigin/)]);
    },
  },
};

declare global {
  var told: string[];
}
