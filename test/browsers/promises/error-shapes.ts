import { expect } from 'vitest';
import type { ErrorReport } from '../../../packages/browser/src/index.ts';
import type { PageScript, PageSource, TestContext } from '../test-context.ts';
import type { SdkPromise } from '../sdk-promise.ts';

/** The expected report of an error. */
interface ExpectedReport {
  /** Undefined for values that are not errors. */
  type: string | RegExp | undefined;
  message: string | RegExp;
  /** Patterns that the stack trace must match, all of them. */
  stacktrace: RegExp[];
}

/** Matches a frame of the function `checkout` in the page's own script, in the format of any engine. */
const inCheckout = /\n\s*(at )?checkout(@| \()http:\/\/127\.0\.0\.1:\d+\/\d+\/script\.js:\d+:\d+/;
/** Matches the location that the browser gives without frames. */
const location = /^ {4}at http:\/\/127\.0\.0\.1:\d+\/\d+\/script\.js:\d+:\d+$/;

const titled = (title: string): RegExp => new RegExp(`^${title}\n`);

/** Returns a test case: the page's script throws, and the SDK sends exactly the expected report. */
function shape(
  thrower: PageScript,
  expected: ExpectedReport,
  source: PageSource = {},
): (context: TestContext) => Promise<void> {
  return async ({ open, sink }) => {
    const page = await open({ ...source, script: thrower });
    await sink.reports(1);
    await page.flush();
    const reports = await sink.reports(1);
    expect(reports, 'reports of one error').toHaveLength(1);
    expectReport(reports[0] as ErrorReport, expected);
    expect(await page.warnings()).toEqual([]);
  };
}

function expectReport({ type, message, stacktrace }: ErrorReport, expected: ExpectedReport): void {
  expect({ type: String(type), message }).toEqual({
    type: matching(expected.type ?? 'undefined'),
    message: matching(expected.message),
  });
  expect(message).not.toMatch(/uncaught/i);
  for (const pattern of expected.stacktrace) expect(stacktrace).toMatch(pattern);
  if (expected.stacktrace.length === 0) expect(stacktrace).toBeUndefined();
}

const matching = (text: string | RegExp): unknown => (text instanceof RegExp ? expect.stringMatching(text) : text);

export const errorShapes: SdkPromise = {
  promise: 'Error shapes: type, message and stack are right for every thrown value',
  cases: {
    'an error': shape(
      function checkout() {
        throw new TypeError('no cart');
      },
      { type: 'TypeError', message: 'no cart', stacktrace: [titled('TypeError: no cart'), inCheckout] },
    ),
    'an error of a custom class': shape(
      function checkout() {
        class CheckoutError extends Error {
          override name = 'CheckoutError';
        }
        throw new CheckoutError('declined');
      },
      { type: 'CheckoutError', message: 'declined', stacktrace: [titled('CheckoutError: declined'), inCheckout] },
    ),
    'a string': shape(
      () => {
        // oxlint-disable-next-line typescript/only-throw-error -- pages do
        throw 'plain words';
      },
      { type: undefined, message: 'plain words', stacktrace: [location] },
    ),
    'an object': shape(
      () => {
        // oxlint-disable-next-line typescript/only-throw-error -- pages do
        throw { status: 418, reason: 'teapot' };
      },
      { type: undefined, message: '{"status":418,"reason":"teapot"}', stacktrace: [location] },
    ),
    undefined: shape(
      () => {
        // oxlint-disable-next-line typescript/only-throw-error -- pages do
        throw undefined;
      },
      { type: undefined, message: 'undefined', stacktrace: [location] },
    ),
    'a rejection with an error': shape(
      async function checkout() {
        throw new RangeError('too far');
      },
      { type: 'RangeError', message: 'too far', stacktrace: [titled('RangeError: too far'), inCheckout] },
    ),
    'a rejection with a string': shape(() => void Promise.reject('no network'), {
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
    'a chain of three causes': shape(
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
    'an error with getters that throw': shape(
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
      // The type is unknown.
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

export const oddShapes: SdkPromise = {
  promise: 'Rare error shapes: the same for values that pages seldom throw',
  cases: {
    null: shape(
      () => {
        // oxlint-disable-next-line typescript/only-throw-error -- pages do
        throw null;
      },
      { type: undefined, message: 'null', stacktrace: [location] },
    ),
    'a number': shape(
      () => {
        // oxlint-disable-next-line typescript/only-throw-error -- pages do
        throw 42;
      },
      { type: undefined, message: '42', stacktrace: [location] },
    ),
    'a revoked proxy': shape(
      () => {
        const { proxy, revoke } = Proxy.revocable({}, {});
        revoke();
        throw proxy;
      },
      { type: undefined, message: /./, stacktrace: [location] },
    ),
    'an object with a circular reference': shape(
      () => {
        const circle: Record<string, unknown> = { name: 'circle' };
        circle.self = circle;
        // oxlint-disable-next-line typescript/only-throw-error -- pages do
        throw circle;
      },
      { type: undefined, message: /^\{"name":"circle"/, stacktrace: [location] },
    ),
    'an error without a stack': shape(
      () => {
        const error = new Error('bare');
        Object.defineProperty(error, 'stack', { value: undefined });
        throw error;
      },
      { type: 'Error', message: 'bare', stacktrace: [/script\.js:\d+:\d+/] },
    ),
    'a script with a syntax error': shape(
      () => {},
      { type: 'SyntaxError', message: /./, stacktrace: [/broken\.js:3:\d+/] },
      { html: '<script defer src="broken.js"></script>', files: { 'broken.js': '\n\nlet let = 1;\n' } },
    ),
    'a stack overflow': shape(
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
      const reports = (await sink.reports(3)).map(({ type, message, stacktrace }) => [
        type,
        message,
        /script\.js:\d+:\d+|\/\d+\/:\d+:\d+/.test(String(stacktrace)),
      ]);
      expect(reports.toSorted()).toEqual([
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
    'a cross-origin script: an error that the browser hides is dropped with a warning': async ({
      open,
      sink,
      otherSite,
    }) => {
      const foreign = otherSite.add({ 'fails.js': `throw new RangeError('of another site')` });
      const page = await open({
        html: `<script defer src="${foreign}fails.js"></script>`,
        before: () => {
          self.seenMessages = [];
          addEventListener('error', ({ message }) => self.seenMessages.push(message));
        },
      });
      await page.flush();
      const [seen] = await page.run(() => self.seenMessages);
      if (seen === 'Script error.') {
        expect(sink.requests).toEqual([]);
        expect(await page.warnings()).toEqual([expect.stringMatching(/crossorigin/)]);
      } else {
        // Firefox does not hide the error.
        expect((await sink.reports(1)).map(({ message }) => message)).toEqual(['of another site']);
      }
    },
    '`Script error.` is dropped with a warning': async ({ open, sink, page }) => {
      await open({ script: () => dispatchEvent(new ErrorEvent('error', { message: 'Script error.' })) });
      await page.flush();
      expect(sink.requests).toEqual([]);
      expect(await page.warnings()).toEqual([expect.stringMatching(/crossorigin/)]);
    },
  },
};

declare global {
  var seenMessages: string[];
}
