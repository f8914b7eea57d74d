import { describe, expect, test, vi } from 'vitest';
import { openPage, sent, onlyReport, throwUncaught, warnings } from './page.ts';

/** Returns an error with the stack of another engine. */
function errorWith(stack: string, error = new TypeError('no cart')): Error {
  error.stack = stack;
  return error;
}

async function report(thrown: unknown) {
  const { captureException } = await openPage();
  captureException(thrown);
  return onlyReport();
}

class CheckoutError extends Error {
  override name = 'CheckoutError';
}

describe('captureException reports', () => {
  test.each<[name: string, thrown: unknown, type: string | undefined, message: string]>([
    ['an error', new TypeError('no cart'), 'TypeError', 'no cart'],
    ['an error of a custom class', new CheckoutError('declined'), 'CheckoutError', 'declined'],
    ['a DOMException', new DOMException('aborted by hand', 'AbortError'), 'AbortError', 'aborted by hand'],
    ['a frozen error', Object.freeze(new RangeError('cold')), 'RangeError', 'cold'],
    ['a string', 'plain words', undefined, 'plain words'],
    ['an object', { status: 500 }, undefined, '{"status":500}'],
    ['an object with the properties of an error', { name: 'ApiError', message: 'gone' }, 'ApiError', 'gone'],
    ['a list', [1, 'two'], undefined, '[1,"two"]'],
    ['a number', 42, undefined, '42'],
    ['a bigint', 42n, undefined, '42'],
    ['a symbol', Symbol('odd'), undefined, 'Symbol(odd)'],
    ['an error with an odd name', Object.assign(new Error('odd'), { name: Symbol('n'), stack: 5 }), 'Error', 'odd'],
    ['undefined', undefined, undefined, 'undefined'],
    ['null', null, undefined, 'null'],
    ['an empty string', '', undefined, 'Error'],
    ['an error with an empty message', new SyntaxError(''), 'SyntaxError', 'Error'],
    ['an object without a prototype', Object.assign(Object.create(null), { a: 1 }), undefined, '{"a":1}'],
  ])('%s', async (_, thrown, type, message) => {
    const { type: sentType, message: sentMessage } = await report(thrown);
    expect({ type: sentType, message: sentMessage }).toEqual({ type, message });
    expect(warnings()).toEqual([]);
  });

  test('an error without a stack, with its causes', async () => {
    const { message, stacktrace } = await report({
      name: 'RpcError',
      message: 'gone',
      cause: new TypeError('no route'),
    });
    expect(message).toBe('gone');
    expect(stacktrace).toMatch(/^RpcError: gone\nCaused by: TypeError: no route\n/);
  });

  test('an error of another realm', async () => {
    const { runInNewContext } = await vi.importActual<{ runInNewContext(code: string): unknown }>('node:vm');
    const foreign = runInNewContext(`new TypeError('far away')`);
    expect(foreign).not.toBeInstanceOf(Error);
    expect(await report(foreign)).toMatchObject({ type: 'TypeError', message: 'far away' });
  });

  test('an error with getters that throw', async () => {
    const mined = new Error('fine');
    for (const key of ['stack', 'name', 'cause', 'errors']) {
      Object.defineProperty(mined, key, { get: () => JSON.parse('{') });
    }
    expect(await report(mined)).toMatchObject({ message: 'fine' });
  });

  test('an error with a message getter that throws', async () => {
    const { captureException } = await openPage();
    captureException(Object.defineProperty(new Error('x'), 'message', { get: () => JSON.parse('{') }));
    expect(await sent()).toHaveLength(1);
  });

  test('a revoked proxy', async () => {
    const { captureException } = await openPage();
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    captureException(proxy);
    expect(await sent()).toHaveLength(1);
  });

  test('an object with a circular reference', async () => {
    const circle: Record<string, unknown> = { a: 1 };
    circle.self = circle;
    expect((await report(circle)).message).toMatch(/^\{"a":1,"self":\{"a":1/);
  });
});

describe('the stack trace of a report', () => {
  const v8 =
    'TypeError: no cart\n    at checkout (https://shop.test/app.js:10:5)\n    at https://shop.test/app.js:20:1';
  const gecko = 'checkout@https://shop.test/app.js:10:5\n@https://shop.test/app.js:20:1\n';
  const webkit = 'checkout@https://shop.test/app.js:10:5\nglobal code@https://shop.test/app.js:20:1';

  test.each([
    ['Chrome', v8, v8],
    ['Firefox', gecko, `TypeError: no cart\n${gecko}`],
    ['Safari', webkit, `TypeError: no cart\n${webkit}`],
  ])('a stack trace of %s begins with type and message', async (_, stack, expected) => {
    expect((await report(errorWith(stack))).stacktrace).toBe(expected);
  });

  test('the stack trace shows the current message of the error', async () => {
    const error = errorWith(v8);
    error.message = 'no cart, again';
    expect((await report(error)).stacktrace).toMatch(/^TypeError: no cart, again\n {4}at checkout/);
  });

  test('the stack trace lists the causes after the error', async () => {
    const cause = errorWith('fetchCart@https://shop.test/api.js:1:1', new RangeError('status 500'));
    const error = errorWith(webkit, new TypeError('no cart', { cause }));
    expect((await report(error)).stacktrace).toBe(
      `TypeError: no cart\n${webkit}\nCaused by: RangeError: status 500\nfetchCart@https://shop.test/api.js:1:1`,
    );
  });

  test('follows causes to a depth of five', async () => {
    let error = new Error('cause 0');
    for (let depth = 1; depth < 9; depth++) error = new Error(`cause ${depth}`, { cause: error });
    const { stacktrace } = await report(error);
    expect(stacktrace?.match(/^Caused by: .*/gm)).toEqual(
      [7, 6, 5, 4, 3].map((depth) => `Caused by: Error: cause ${depth}`),
    );
  });

  test('stops at a circular cause', async () => {
    const error = new Error('head');
    error.cause = new Error('tail', { cause: error });
    expect((await report(error)).stacktrace?.match(/Caused by/g)).toHaveLength(1);
  });

  test('names a cause that is not an error', async () => {
    expect((await report(new Error('outer', { cause: 'plain words' }))).stacktrace).toMatch(
      /\nCaused by: plain words$/,
    );
  });

  test('reports the location of the event as stack trace if there is no error object', async () => {
    await openPage();
    throwUncaught('plain words', 'Uncaught plain words');
    expect(await onlyReport()).toMatchObject({
      message: 'plain words',
      stacktrace: '    at https://shop.test/app.js:3:7',
    });
  });

  test('captureMessage sends no stack trace', async () => {
    const { captureMessage } = await openPage();
    captureMessage('all is well');
    const all = await onlyReport();
    expect(all).toMatchObject({ message: 'all is well', level: 'info' });
    expect(all).not.toHaveProperty('stacktrace');
    expect(all).not.toHaveProperty('type');
  });
});

test('reports the inner error of a captured event', async () => {
  const { captureException } = await openPage();
  captureException(new ErrorEvent('error', { error: new TypeError('inner'), message: 'Uncaught TypeError: inner' }));
  captureException(Object.assign(new Event('unhandledrejection'), { reason: new RangeError('deep') }));
  captureException(new ErrorEvent('error', { error: null, message: 'Uncaught ReferenceError: x is not defined' }));
  expect((await sent()).map(({ type, message }) => ({ type, message }))).toEqual([
    { type: 'TypeError', message: 'inner' },
    { type: 'RangeError', message: 'deep' },
    { type: undefined, message: 'ReferenceError: x is not defined' },
  ]);
});

test('shortens a message of a megabyte and keeps its frames', async () => {
  const { captureException } = await openPage();
  captureException(new Error('m'.repeat(1024 * 1024)));
  const all = await onlyReport();
  expect(all.stacktrace).toContain('error-shapes.test.ts');
  expect(JSON.stringify(all).length).toBeLessThan(30 * 1024);
});
