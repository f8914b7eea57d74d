import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isThorough } from '../../../test/test-utils/depth.ts';
import { randomBelow } from '../../../test/test-utils/seeded-random.mjs';
import { loadPage, openPage, options, requests, throwUncaught } from './page.ts';

const failing = (): never => {
  throw new Error('of a getter');
};

/** Functions that each make a hostile value. Some values contain others. */
const makers: ((value: () => unknown, below: (count: number) => number) => unknown)[] = [
  () => undefined,
  () => null,
  () => NaN,
  () => -0,
  () => 2n ** 200n,
  () => Symbol('s'),
  () => '',
  () => 'x'.repeat(100_000),
  () => '\uD800 lone \u0000 \u202E',
  () => 'token=hush&'.repeat(500),
  () => () => failing(),
  () => new Date(NaN),
  () => new Map([[{}, new Set([1])]]),
  () => new Uint8Array(1_000),
  () => new Proxy({}, { get: failing, ownKeys: failing, has: failing, getPrototypeOf: failing }),
  () => {
    const { proxy, revoke } = Proxy.revocable(() => {}, {});
    revoke();
    return proxy;
  },
  () => {
    const circle: Record<string, unknown> = {};
    circle.self = [circle];
    return circle;
  },
  () => Object.assign(Object.create(null), { a: 1 }),
  () => ({ toJSON: failing, toString: failing, valueOf: failing }),
  () => ({ length: 2 ** 32 - 1, eventPhase: 2, error: null, lineno: {} }),
  () => Object.freeze(new Error('frozen')),
  () => {
    const error = new Error('mined');
    for (const key of ['stack', 'name', 'message', 'cause', 'errors'])
      Object.defineProperty(error, key, { get: failing });
    return error;
  },
  () => Array(5_000).fill('entry'),
  () => document.createElement('form'),
  () => window,
  () => new Event('error'),
  () => Promise.resolve(),
  () => JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`),
  () => JSON.parse('{"__proto__":{"polluted":1},"constructor":7}'),
  (value) => new Error(typeof value(), { cause: value() }),
  (value) => new AggregateError([value(), value()], 'several'),
  (value) => Object.assign(new TypeError('odd'), { name: value(), stack: value(), message: value() }),
  (value) => ({ level: value(), metadata: value(), user: value() }),
  (value) => ({ type: value(), category: value(), message: value(), data: value() }),
  (value) => ({ id: value() }),
  (value) => [value(), value()],
  (value) => ({
    [String(typeof value())]: value(),
    get bad() {
      return failing();
    },
  }),
  (value) => Object.assign(new Event('unhandledrejection'), { reason: value(), message: value() }),
];

/** CI uses ten times as many. */
const hostileValues = isThorough ? 10_000 : 1_000;

const wrong: unknown[] = [];
const keep = (error: unknown): void => void wrong.push(error);

beforeEach(() => {
  wrong.length = 0;
  process.on('unhandledRejection', keep);
  process.on('uncaughtException', keep);
});
afterEach(() => {
  process.off('unhandledRejection', keep);
  process.off('uncaughtException', keep);
});

test(`never throws into the page for ${hostileValues} hostile values`, async () => {
  const { runInNewContext } = await vi.importActual<{ runInNewContext(code: string): unknown }>('node:vm');
  const foreign = runInNewContext(`[new TypeError('far away'), { a: [1] }, Object.freeze([])]`) as unknown[];
  const below = randomBelow(20_261_122);
  let depth = 0;
  const value = (): unknown => {
    const at = below(makers.length + foreign.length);
    if (at >= makers.length) return foreign[at - makers.length];
    // Nested values end at a depth of four.
    if (++depth > 4) return ((depth = 0), 'deep');
    return makers[at]!(value, below);
  };

  const sdk = await openPage({ beforeSend: (report) => (below(5) ? report : (value() as never)) });
  const entries: ((...args: never[]) => unknown)[] = [
    sdk.captureException,
    sdk.captureException,
    sdk.captureMessage,
    sdk.addBreadcrumb,
    sdk.setUser,
    sdk.setMetadata,
    sdk.init,
    console.log,
    console.error,
    (error: unknown) => throwUncaught(error, 'Uncaught'),
    (reason: unknown) => window.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason })),
    (...args) => window.onerror?.(...(args as unknown as Parameters<OnErrorEventHandlerNonNull>)),
    (target: unknown) =>
      document.body.dispatchEvent(Object.assign(new Event('click', { bubbles: true }), { detail: target })),
    () => {
      sdk.close();
      sdk.init(options);
    },
  ];
  for (let count = 0; count < hostileValues; count++) {
    const entry = entries[below(entries.length)]!;
    depth = 0;
    const args = [value(), value()] as never[];
    expect(() => entry(...args), `value ${count}`).not.toThrow();
    // Reports are created in later tasks.
    if (count % 100 === 0) await sdk.flush(50);
  }
  await expect(sdk.flush(5_000)).resolves.toBe(true);
  expect(wrong).toEqual([]);
  expect(requests.length).toBeGreaterThan(0);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

test('never throws from init() for hostile options', async () => {
  const below = randomBelow(7);
  let depth = 0;
  const value = (): unknown => (++depth > 4 ? ((depth = 0), 1) : makers[below(makers.length)]!(value, below));
  const { init, close, captureException, flush } = await openPage();
  const names = [
    'apiKey',
    'endpoint',
    'release',
    'beforeSend',
    'ignoreErrors',
    'allowUrls',
    'sampleRate',
    'breadcrumbs',
  ];
  for (let count = 0; count < 500; count++) {
    close();
    depth = 0;
    const odd = Object.fromEntries(names.filter(() => below(2)).map((name) => [name, value()]));
    expect(() => init({ ...options, ...odd } as never), `value ${count}`).not.toThrow();
    expect(() => captureException(new Error(`x${count}`)), `value ${count}`).not.toThrow();
  }
  await flush(1_000);
  expect(wrong).toEqual([]);
});

test('never throws into the page from the errors entry', async () => {
  await loadPage();
  const sdk = await import('../src/errors.ts');
  const below = randomBelow(3);
  let depth = 0;
  const value = (): unknown => (++depth > 4 ? ((depth = 0), 1) : makers[below(makers.length)]!(value, below));
  sdk.init({ ...options, beforeSend: (report) => (below(5) ? report : (value() as never)) });
  const entries: ((...args: never[]) => unknown)[] = [
    sdk.captureException,
    sdk.captureMessage,
    sdk.setUser,
    sdk.setMetadata,
    sdk.init,
    (error: unknown) => throwUncaught(error, 'Uncaught'),
    () => {
      sdk.close();
      sdk.init(options);
    },
  ];
  for (let count = 0; count < hostileValues / 5; count++) {
    const entry = entries[below(entries.length)]!;
    depth = 0;
    const args = [value(), value()] as never[];
    expect(() => entry(...args), `value ${count}`).not.toThrow();
  }
  await sdk.flush(1_000);
  sdk.close();
  expect(wrong).toEqual([]);
});
