import { describe, expect, test, vi } from 'vitest';
import type { Options } from '../src/index.ts';
import {
  failPosts,
  loadPage,
  openPage,
  options,
  rejected,
  sent,
  serve,
  captureBreadcrumbs,
  onlyReport,
  throwUncaught,
  warnings,
} from './page.ts';

/** Returns an error that was thrown in a script. */
function errorOf(script: string, message = 'no cart'): Error {
  return Object.assign(new TypeError(message), { stack: `checkout@${script}:10:5\n@https://shop.test/app.js:1:1` });
}

/** Captures errors and returns the messages of their reports. */
async function reportedMessages(extra: Partial<Options>, ...errors: unknown[]): Promise<string[]> {
  const { captureException } = await openPage(extra);
  for (const error of errors) captureException(error);
  return (await sent()).map(({ message }) => message);
}

describe('ignoreErrors', () => {
  test.each<[string, NonNullable<Options['ignoreErrors']>]>([
    ['a string in the message', ['cart']],
    ['a string with type and message', ['TypeError: no cart']],
    ['a pattern', [/^TypeError: no c/]],
    ['a regular expression with the g flag', [/cart/g]],
    ['a regular expression with a lookahead', [/(?=.*cart)/]],
  ])('ignoreErrors drops errors that match %s', async (_, ignoreErrors) => {
    const errors = [errorOf('https://shop.test/a.js'), errorOf('https://shop.test/b.js'), new Error('other')];
    expect(await reportedMessages({ ignoreErrors }, ...errors)).toEqual(['other']);
  });

  test('ignoreErrors matches the text of values that are not errors', async () => {
    expect(await reportedMessages({ ignoreErrors: [/^plain/] }, 'plain words', 'not plain')).toEqual(['not plain']);
  });

  test('ignoreErrors accepts a single pattern in place of a list', async () => {
    expect(
      await reportedMessages({ ignoreErrors: /cart/ as never }, errorOf('https://shop.test/a.js'), new Error('b')),
    ).toEqual(['b']);
  });
});

describe('allowUrls and denyUrls', () => {
  const own = errorOf('https://shop.test/app.js', 'own');
  const widget = errorOf('https://widgets.test/w.js', 'of a widget');

  test('allowUrls and denyUrls match the URL of the script that threw', async () => {
    expect(await reportedMessages({ allowUrls: ['shop.test'] }, own, widget)).toEqual(['own']);
    expect(await reportedMessages({ denyUrls: [/widgets/] }, own, widget)).toEqual(['own']);
    expect(await reportedMessages({ allowUrls: ['.test'], denyUrls: ['widgets'] }, own, widget)).toEqual(['own']);
  });

  test('an empty list of allowUrls allows every script', async () => {
    expect(await reportedMessages({ allowUrls: [], denyUrls: [] }, own, widget)).toEqual(['own', 'of a widget']);
  });

  test('allowUrls may be a single pattern', async () => {
    expect(await reportedMessages({ allowUrls: /shop/ as never }, own, widget)).toEqual(['own']);
  });

  test('allowUrls lets errors without a script through', async () => {
    expect(await reportedMessages({ allowUrls: ['shop.test'] }, 'plain words')).toEqual(['plain words']);
  });
});

test.each([
  [0, 0],
  [1, 3],
])('a sampleRate of %d reports %d of three errors', async (sampleRate, count) => {
  expect(await reportedMessages({ sampleRate }, new Error('a'), new Error('b'), new Error('c'))).toHaveLength(count);
});

describe('the noise filter', () => {
  const extension = errorOf('chrome-extension://abcdef/content.js');
  const resize = 'ResizeObserver loop limit exceeded';

  test.each([
    'chrome-extension://a/b.js',
    'moz-extension://a/b.js',
    'safari-web-extension://a/b.js',
    'webkit-masked-url://hidden/',
  ])('drops errors of %s', async (script) => {
    expect(await reportedMessages({}, errorOf(script), new Error('own'))).toEqual(['own']);
  });

  test('reports an error in code that an extension calls', async () => {
    const error = Object.assign(new Error('own'), {
      stack: 'buy@https://shop.test/app.js:1:1\nclick@moz-extension://a/b.js:1:1',
    });
    expect(await reportedMessages({}, error)).toEqual(['own']);
  });

  test('reports each kind of noise that is set to false', async () => {
    await openPage({ ignore: { scriptError: false, extensions: false, resizeObserver: false } });
    throwUncaught(null, 'Script error.');
    throwUncaught(null, resize);
    throwUncaught(extension);
    expect((await sent()).map(({ message }) => message)).toEqual(['Script error.', resize, 'no cart']);
    expect(warnings()).toEqual([]);
  });

  test('noise takes no token of the rate limit, and cross-origin scripts cause a warning', async () => {
    await openPage();
    for (let count = 0; count < 20; count++) throwUncaught(null, `${resize} ${count}`);
    throwUncaught(null, 'Script error.');
    throwUncaught(new Error('own'));
    expect((await sent()).map(({ message }) => message)).toEqual(['own']);
    expect(warnings()).toEqual(['W7']);
  });

  test('lets messages of the page through that begin like noise', async () => {
    expect(await reportedMessages({}, new Error('Script error in the cart'))).toEqual(['Script error in the cart']);
  });
});

describe('the breadcrumbs option', () => {
  test.each<[keyof NonNullable<Options['breadcrumbs']>, () => unknown]>([
    ['console', () => console.log('a line')],
    ['navigation', () => history.pushState(null, '', '/next')],
    ['click', () => document.body.click()],
    ['fetch', () => fetch('https://shop.test/cart')],
  ])('records %s breadcrumbs unless they are switched off', async (kind, act) => {
    await openPage({ breadcrumbs: { [kind]: false } });
    await act();
    const without = await captureBreadcrumbs();
    history.replaceState(null, '', '/');
    await openPage({ breadcrumbs: { [kind]: true } });
    await act();
    expect([without.length, (await captureBreadcrumbs()).length]).toEqual([0, 1]);
    history.replaceState(null, '', '/');
  });

  test('records the text of clicked elements only with click: { text: true }', async () => {
    document.body.innerHTML = '<button>Pay 12 €</button>';
    await openPage({ breadcrumbs: { click: { text: true } } });
    document.body.innerHTML = '<button>Pay 12 €</button>';
    document.querySelector('button')?.click();
    expect((await captureBreadcrumbs())[0]?.data).toEqual({ selector: 'button', text: 'Pay 12 €' });
  });

  test('sends no breadcrumbs with maxBreadcrumbs: 0', async () => {
    await openPage({ maxBreadcrumbs: 0 });
    console.log('a line');
    expect(await captureBreadcrumbs()).toEqual([]);
  });
});

test('debug writes each report to the console and records no breadcrumb of it', async () => {
  const { captureException } = await openPage({ debug: true });
  captureException(new Error('first'));
  await sent();
  captureException(new Error('second'));
  const [, second] = await sent();
  expect(second).not.toHaveProperty('breadcrumbs');
  expect(console.debug).toHaveBeenCalledWith('[ServiceSDK]', expect.objectContaining({ message: 'first' }));
});

test('debug writes a report at each attempt to send it, and none that is not sent', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  const { captureException } = await openPage({ debug: true });
  serve((attempt) => rejected(attempt === 1 ? 503 : 403));
  for (const message of ['retried', 'second', 'third', 'not sent']) {
    captureException(new Error(message));
    await vi.advanceTimersByTimeAsync(5_000);
  }
  vi.useRealTimers();
  const printed = vi.mocked(console.debug).mock.calls.map(([, report]) => report.message);
  expect(printed).toEqual(['retried', 'retried', 'second', 'third']);
});

describe('an option of a wrong type', () => {
  test.each<[string, unknown]>([
    ['sampleRate', 'often'],
    ['ignoreErrors', 'cart'],
    ['beforeSend', true],
    ['maxBreadcrumbs', '10'],
    ['breadcrumbs', false],
    ['debug', 1],
    ['release', 7],
  ])('%s is named in a warning and ignored, and the other options apply', async (name, value) => {
    const { captureException } = await openPage({ environment: 'production', [name]: value });
    captureException(new Error('x'));
    expect(await onlyReport()).toMatchObject({ message: 'x', environment: 'production' });
    expect(warnings()).toEqual(['W4']);
  });

  test('ignores undefined and null options without a warning', async () => {
    const { init, captureException } = await loadPage();
    init({ ...options, release: undefined, sampleRate: undefined, denyUrls: null as never });
    captureException(new Error('x'));
    expect(await onlyReport()).not.toHaveProperty('release');
    expect(warnings()).toEqual([]);
  });
});

describe('a repeated error', () => {
  const again = (message = 'same'): Error =>
    Object.assign(new Error(message), { stack: 'f@https://shop.test/app.js:1:2' });

  test('is reported again after the clock was set back', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { captureException } = await openPage();
    const error = new Error('same');
    captureException(error);
    await sent();
    vi.setSystemTime(Date.now() - 3_600_000);
    captureException(error);
    expect(await sent()).toHaveLength(2);
  });

  test('counts repeats for five seconds, and adds the count to the next report', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    const { captureException } = await openPage();
    for (let count = 0; count < 8; count++) captureException(again());
    captureException(again('another'));
    await vi.advanceTimersByTimeAsync(6_000);
    captureException(again(), { metadata: { step: 2 } });
    captureException(again('another'));
    await vi.advanceTimersByTimeAsync(10);
    vi.useRealTimers();
    expect((await sent()).map(({ message, metadata }) => [message, metadata])).toEqual([
      ['same', undefined],
      ['another', undefined],
      ['same', { step: 2, repeated: 7 }],
      ['another', undefined],
    ]);
  });

  test('is recognized after its latest report, even if twenty others were reported since its first', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    const { captureException } = await openPage();
    captureException(again());
    for (let count = 1; count <= 19; count++) {
      await vi.advanceTimersByTimeAsync(1_000);
      captureException(again(`another ${count}`));
    }
    for (const message of ['same', 'another 20', 'another 21', 'same']) captureException(again(message));
    await vi.advanceTimersByTimeAsync(10);
    vi.useRealTimers();
    const messages = (await sent()).map(({ message }) => message);
    expect(messages.filter((message) => message === 'same')).toHaveLength(2);
    expect(messages).toHaveLength(23);
  });

  test('counts no repeat if the same error object passes several hooks', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    const { captureException } = await openPage();
    const error = again();
    captureException(error);
    error.message += ', shown to the user';
    throwUncaught(error);
    await vi.advanceTimersByTimeAsync(6_000);
    captureException(again());
    await vi.advanceTimersByTimeAsync(10);
    vi.useRealTimers();
    expect((await sent()).map(({ metadata }) => metadata)).toEqual([undefined, undefined]);
  });
});

test('reports the message that an error had when it was captured', async () => {
  const { captureException } = await openPage();
  const error = new Error('as it was');
  captureException(error);
  error.message = 'as the page shows it';
  expect((await onlyReport()).message).toBe('as it was');
});

test('reports an error once that reaches the window in a later task', async () => {
  const { captureException } = await openPage();
  const error = new Error('on its way');
  captureException(error);
  await onlyReport();
  window.dispatchEvent(
    new ErrorEvent('error', { error, message: 'Uncaught Error: on its way', filename: 'a.js', lineno: 7, colno: 3 }),
  );
  captureException(new Error('next'));
  expect((await sent()).map(({ message }) => message)).toEqual(['on its way', 'next']);
});

test('reports a burst of uncaught errors once with its count, and other messages and callers separately', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  await openPage();
  const happen = (message: string, caller = 'pay'): void => {
    const stack = `Error: ${message}\n    at check (https://shop.test/a.js:7:3)\n    at ${caller} (https://shop.test/a.js:9:1)`;
    const error = Object.assign(new Error(message), { stack });
    window.dispatchEvent(new ErrorEvent('error', { error, message, filename: 'a.js', lineno: 7, colno: 3 }));
    window.onerror?.(message, 'a.js', 7, 3, error);
  };
  for (let count = 0; count < 100; count++) happen('the same');
  happen('another');
  happen('the same', 'ship');
  await vi.advanceTimersByTimeAsync(6_000);
  happen('the same');
  await vi.advanceTimersByTimeAsync(10);
  vi.useRealTimers();
  expect((await sent()).map(({ message, metadata }) => [message, metadata])).toEqual([
    ['the same', undefined],
    ['another', undefined],
    ['the same', undefined],
    ['the same', { repeated: 99 }],
  ]);
});

test('reports a value that is not an error in its state at the time of the throw', async () => {
  const { captureException } = await openPage();
  const state = { step: 'paying' };
  captureException(state);
  state.step = 'idle';
  expect((await onlyReport()).message).toBe('{"step":"paying"}');
});

test('applies the rate limit on pagehide', async () => {
  const { captureException } = await openPage();
  window.dispatchEvent(new Event('pagehide'));
  for (let count = 0; count < 30; count++) captureException(new Error(`late ${count}`));
  expect(await sent()).toHaveLength(10);
});

test.each([
  [{ id: '7', name: 'Ada', email: 'ada@example.com' }, []],
  [{ id: undefined }, []],
  [{ id: '7', plan: 'free' }, ['W12']],
  [{ email: 'ada@example.com' }, ['W12']],
])('setUser(%j) writes the warnings %j', async (user, warned) => {
  const { setUser } = await openPage();
  setUser(user as never);
  expect(warnings()).toEqual(warned);
});

test('captureException() accepts a context of any kind', async () => {
  const { captureException } = await openPage();
  [new Error('of a list')].forEach(captureException as never);
  const context = { level: 'warning', user: { id: 7, name: 'Ada' }, message: 'hidden', type: 'Hidden' };
  captureException(new TypeError('whole'), context as never);
  expect(await sent()).toMatchObject([
    { message: 'of a list' },
    { message: 'whole', type: 'TypeError', level: 'warning', user: { id: '7' } },
  ]);
  expect((await sent())[1]?.user).toEqual({ id: '7' });
});

test('counts a repeat only until its next report, even after hours', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  const { captureMessage } = await openPage();
  for (const wait of [0, 1_000, 3_600_000, 3_600_000]) {
    await vi.advanceTimersByTimeAsync(wait);
    captureMessage('Poll failed');
  }
  await vi.advanceTimersByTimeAsync(10);
  vi.useRealTimers();
  expect((await sent()).map(({ metadata }) => metadata)).toEqual([undefined, { repeated: 1 }, undefined]);
});

test('a line break in a message does not match the filter for extensions', async () => {
  expect(await reportedMessages({}, new Error('Request failed\nurl: /api/pay'))).toEqual([
    'Request failed\nurl: /api/pay',
  ]);
});

test('an invalid sampleRate reports every error', async () => {
  expect(await reportedMessages({ sampleRate: NaN }, new Error('a'))).toEqual(['a']);
});

test('keeps the event_id and the newest breadcrumbs of a large report', async () => {
  const { captureException, addBreadcrumb } = await openPage();
  for (let count = 1; count <= 64; count++) addBreadcrumb({ message: `${count} ${'x'.repeat(500)}` });
  const error = new Error('large');
  error.stack = `${'f@https://shop.test/app.js:1:2\n'.repeat(600)}`;
  captureException(error, { metadata: { text: 'y'.repeat(14_000) } });
  const { event_id, breadcrumbs } = await onlyReport();
  expect(event_id).toEqual(expect.any(String));
  expect(breadcrumbs?.at(-1)?.data.message).toMatch(/^64 /);
});

test('ignores a release of the bundler plugin that is no text', async () => {
  vi.stubGlobal('__serviceRelease', { version: '1.2.0' });
  const { captureMessage } = await openPage();
  captureMessage('released');
  expect(await onlyReport()).not.toHaveProperty('release');
});

test('null is the default of each kind of noise and each switch of breadcrumbs', async () => {
  const { captureMessage } = await openPage({
    ignore: { scriptError: null, extensions: null, resizeObserver: null },
    breadcrumbs: { console: null, click: null },
  });
  captureMessage('ResizeObserver loop limit exceeded');
  console.log('kept');
  expect(await sent()).toEqual([]);
  expect(await captureBreadcrumbs()).toMatchObject([{ data: { arguments: ['kept'] } }]);
});

test('the development build names unknown switches', async () => {
  await loadPage();
  const { checkOptionValues } = await import('../src/check-option-values.development.ts');
  const unknown = { breadcrumbs: { consol: false, click: true }, ignore: { scriptErrors: false } };
  checkOptionValues({ ...options, ...unknown } as never);
  expect(vi.mocked(console.warn).mock.calls).toEqual([
    [
      '[ServiceSDK] Unknown option breadcrumbs.consol. The option breadcrumbs has navigation, click, fetch, xhr, console. [W4]',
    ],
    [
      '[ServiceSDK] Unknown option ignore.scriptErrors. The option ignore has scriptError, extensions, resizeObserver. [W4]',
    ],
  ]);
});

test.each([
  ['https://errors.test/api/v1', 1],
  ['https://errors.test/api/v1/', 1],
  ['https://errors.test/api/v1/errors', 1],
  ['/service/api/v1//', 1],
  ['https://errors.test/', 0],
  ['https://errors.test/service', 0],
  ['https://errors.test/api/v1-tunnel', 0],
  [undefined, 0],
])('the development build checks whether the endpoint %s contains the path of the API', async (endpoint, count) => {
  await loadPage();
  const { checkOptionValues } = await import('../src/check-option-values.development.ts');
  checkOptionValues({ ...options, endpoint } as never);
  expect(vi.mocked(console.warn).mock.calls).toEqual(
    Array.from({ length: count }, () => [
      '[ServiceSDK] Option endpoint must be the base URL of the server, without /api/v1. [W4]',
    ]),
  );
});

test('the development build names an integration that is not called', async () => {
  const { captureConsole } = await loadPage();
  const { checkOptionValues } = await import('../src/check-option-values.development.ts');
  checkOptionValues({ ...options, integrations: [captureConsole] } as never);
  expect(vi.mocked(console.warn).mock.calls).toEqual([['[ServiceSDK] Call the integration: captureConsole(). [W4]']]);
});

test.each([
  [['%s of %s failed', 'Loading', { id: 1 }, 'twice'], 'Loading of {"id":1} failed twice'],
  [['%cred%c text', 'color: red', ''], 'red text'],
  [['100%% of %d, %i, %f, %o and %O', 1, 2, 0.5, [3], null], '100% of 1, 2, 0.5, [3] and null'],
  [['only %s, not %s', 'one'], 'only one, not %s'],
  [['%x is 50% sure', 7], '%x is 50% sure 7'],
  [['100%%'], '100%%'],
  [[Object.assign(Object.create(null), { a: 1 })], '{"a":1}'],
  [[1, '%s'], '1 %s'],
])('captureConsole reports console.error(%j) as the console shows it', async (args, message) => {
  const { captureConsole, init } = await loadPage();
  init({ ...options, integrations: [captureConsole()] });
  console.error(...args);
  expect(await sent()).toMatchObject([{ message }]);
});

test('captureFailedRequests() does not report the reports of another client', async () => {
  const { captureFailedRequests, createClient, init } = await loadPage();
  init({ ...options, integrations: [captureFailedRequests()] });
  serve(() => rejected(500));
  const other = createClient({ ...options, apiKey: 'pk_other', breadcrumbs: { fetch: false } });
  other.captureMessage('of the other client');
  await other.flush(100);
  await other.close(0);
  expect((await sent()).map(({ message }) => message)).toEqual(['of the other client']);
});

test('captureFailedRequests() knows the endpoint of another client, and reports the like of the app', async () => {
  const { captureFailedRequests, createClient, init } = await loadPage();
  init({ ...options, integrations: [captureFailedRequests()] });
  failPosts('https://other.test/base/api/v1/errors', 'https://shop.test/api/v1/errors');
  const endpoint = 'https://other.test/base/';
  const other = createClient({ ...options, endpoint, apiKey: 'pk_other', breadcrumbs: { fetch: false } });
  other.captureMessage('of the other client');
  await other.flush(100);
  await other.close(0);
  await fetch('https://shop.test/api/v1/errors', { method: 'POST' });
  expect((await sent()).map(({ message }) => message)).toEqual([
    'Request failed with status 500: POST https://shop.test/api/v1/errors',
  ]);
});

test.each([
  [{}, []],
  [[null], ['W5']],
  [['text'], ['W5']],
  [{ 0: 1 }, ['W5']],
])('integrations of %j do not break the page', async (integrations, warned) => {
  const { captureMessage } = await openPage({ integrations: integrations as never });
  captureMessage('kept');
  expect(await sent()).toMatchObject([{ message: 'kept' }]);
  expect(warnings()).toEqual(warned);
});

test('captureFailedRequests() also watches requests that are no breadcrumbs', async () => {
  const { captureFailedRequests, init } = await loadPage();
  init({ ...options, breadcrumbs: { fetch: false }, integrations: [captureFailedRequests({ isFailure: () => true })] });
  await fetch('https://shop.test/cart');
  const [report] = await sent();
  expect(report?.message).toMatch(/^Request failed with status \d+: GET https:\/\/shop\.test\/cart$/);
  expect(report).not.toHaveProperty('breadcrumbs');
});

test('captureFailedRequests() accepts null for its options', async () => {
  const { captureFailedRequests } = await loadPage();
  expect(captureFailedRequests(null)).toBeTypeOf('function');
  expect(captureFailedRequests({ isFailure: null })).toBeTypeOf('function');
});

test('an empty release does not replace that of the bundler plugin', async () => {
  vi.stubGlobal('__serviceRelease', '1.2.3');
  const { captureMessage } = await openPage({ release: '' });
  captureMessage('x');
  expect(await sent()).toMatchObject([{ release: '1.2.3' }]);
  vi.unstubAllGlobals();
});
