import { describe, expect, test, vi } from 'vitest';
import type { Options } from '../src/index.ts';
import { loadPage, openPage, options, sent, theBreadcrumbs, theReport, throwUncaught, warnings } from './page.ts';

/** An error that was thrown in a script. */
function errorOf(script: string, message = 'no cart'): Error {
  return Object.assign(new TypeError(message), { stack: `checkout@${script}:10:5\n@https://shop.test/app.js:1:1` });
}

/** The messages of what is reported of some errors. */
async function told(extra: Partial<Options>, ...errors: unknown[]): Promise<string[]> {
  const { captureException } = await openPage(extra);
  for (const error of errors) captureException(error);
  return (await sent()).map(({ message }) => message);
}

describe('ignoreErrors', () => {
  test.each<[string, NonNullable<Options['ignoreErrors']>]>([
    ['a text of the message', ['cart']],
    ['a text with class and message', ['TypeError: no cart']],
    ['a pattern', [/^TypeError: no c/]],
    ['a pattern that remembers where it was', [/cart/g]],
    ['a pattern that looks ahead', [/(?=.*cart)/]],
  ])('leaves out what fits %s', async (_, ignoreErrors) => {
    const errors = [errorOf('https://shop.test/a.js'), errorOf('https://shop.test/b.js'), new Error('other')];
    expect(await told({ ignoreErrors }, ...errors)).toEqual(['other']);
  });

  test('fits texts that are no errors by themselves', async () => {
    expect(await told({ ignoreErrors: [/^plain/] }, 'plain words', 'not plain')).toEqual(['not plain']);
  });

  test('takes one pattern for a list', async () => {
    expect(await told({ ignoreErrors: /cart/ as never }, errorOf('https://shop.test/a.js'), new Error('b'))).toEqual([
      'b',
    ]);
  });
});

describe('allowUrls and denyUrls', () => {
  const own = errorOf('https://shop.test/app.js', 'own');
  const widget = errorOf('https://widgets.test/w.js', 'of a widget');

  test('tell by the script that failed', async () => {
    expect(await told({ allowUrls: ['shop.test'] }, own, widget)).toEqual(['own']);
    expect(await told({ denyUrls: [/widgets/] }, own, widget)).toEqual(['own']);
    expect(await told({ allowUrls: ['.test'], denyUrls: ['widgets'] }, own, widget)).toEqual(['own']);
  });

  test('leave alone what names no script', async () => {
    expect(await told({ allowUrls: ['shop.test'] }, 'plain words')).toEqual(['plain words']);
  });
});

test.each([
  [0, 0],
  [1, 3],
])('a sampleRate of %d lets %d of three through', async (sampleRate, count) => {
  expect(await told({ sampleRate }, new Error('a'), new Error('b'), new Error('c'))).toHaveLength(count);
});

describe('noise', () => {
  const extension = errorOf('chrome-extension://abcdef/content.js');
  const resize = 'ResizeObserver loop limit exceeded';

  test.each([
    'chrome-extension://a/b.js',
    'moz-extension://a/b.js',
    'safari-web-extension://a/b.js',
    'webkit-masked-url://hidden/',
  ])('of %s is left out', async (script) => {
    expect(await told({}, errorOf(script), new Error('own'))).toEqual(['own']);
  });

  test('is told by the frame that failed: what an extension only calls is reported', async () => {
    const error = Object.assign(new Error('own'), {
      stack: 'buy@https://shop.test/app.js:1:1\nclick@moz-extension://a/b.js:1:1',
    });
    expect(await told({}, error)).toEqual(['own']);
  });

  test('is let through one by one', async () => {
    await openPage({ ignore: { scriptError: false, extensions: false, resizeObserver: false } });
    throwUncaught(null, 'Script error.');
    throwUncaught(null, resize);
    throwUncaught(extension);
    expect((await sent()).map(({ message }) => message)).toEqual(['Script error.', resize, 'no cart']);
    expect(warnings()).toEqual([]);
  });

  test('takes no place from errors, and a script of another origin is worth a hint', async () => {
    await openPage();
    for (let count = 0; count < 20; count++) throwUncaught(null, `${resize} ${count}`);
    throwUncaught(null, 'Script error.');
    throwUncaught(new Error('own'));
    expect((await sent()).map(({ message }) => message)).toEqual(['own']);
    expect(warnings()).toEqual(['W7: Set crossorigin']);
  });

  test("is no message of the page's own that begins alike", async () => {
    expect(await told({}, new Error('Script error in the cart'))).toEqual(['Script error in the cart']);
  });
});

describe('breadcrumbs', () => {
  test.each<[keyof NonNullable<Options['breadcrumbs']>, () => unknown]>([
    ['console', () => console.log('a line')],
    ['navigation', () => history.pushState(null, '', '/next')],
    ['click', () => document.body.click()],
    ['fetch', () => fetch('https://shop.test/cart')],
  ])('of %s are noted unless they are switched off', async (kind, act) => {
    await openPage({ breadcrumbs: { [kind]: false } });
    await act();
    const without = await theBreadcrumbs();
    history.replaceState(null, '', '/');
    await openPage({ breadcrumbs: { [kind]: true } });
    await act();
    expect([without.length, (await theBreadcrumbs()).length]).toEqual([0, 1]);
    history.replaceState(null, '', '/');
  });

  test('of clicks carry the text of the element only if the page says so', async () => {
    document.body.innerHTML = '<button>Pay 12 €</button>';
    await openPage({ breadcrumbs: { click: { text: true } } });
    document.body.innerHTML = '<button>Pay 12 €</button>';
    document.querySelector('button')?.click();
    expect((await theBreadcrumbs())[0]?.data).toEqual({ selector: 'button', text: 'Pay 12 €' });
  });

  test('there are none if the page wants none', async () => {
    await openPage({ maxBreadcrumbs: 0 });
    console.log('a line');
    expect(await theBreadcrumbs()).toEqual([]);
  });
});

test('debug writes each report to the console, which is no breadcrumb', async () => {
  const { captureException } = await openPage({ debug: true });
  captureException(new Error('first'));
  await sent();
  captureException(new Error('second'));
  const [, second] = await sent();
  expect(second).not.toHaveProperty('breadcrumbs');
  expect(console.debug).toHaveBeenCalledWith('[ServiceSDK] W', expect.objectContaining({ message: 'first' }));
});

describe('an option of the wrong kind', () => {
  test.each<[string, unknown]>([
    ['sampleRate', 'often'],
    ['ignoreErrors', 'cart'],
    ['beforeSend', true],
    ['maxBreadcrumbs', '10'],
    ['breadcrumbs', false],
    ['debug', 1],
    ['release', 7],
  ])('%s is named and left out, and the rest works', async (name, value) => {
    const { captureException } = await openPage({ environment: 'production', [name]: value });
    captureException(new Error('x'));
    expect(await theReport()).toMatchObject({ message: 'x', environment: 'production' });
    expect(warnings()).toEqual([`W4: Check ${name}`]);
  });

  test('undefined and null are as absent', async () => {
    const { init, captureException } = await loadPage();
    init({ ...options, release: undefined, sampleRate: undefined, denyUrls: null as never });
    captureException(new Error('x'));
    expect(await theReport()).not.toHaveProperty('release');
    expect(warnings()).toEqual([]);
  });
});

describe('what comes again', () => {
  const again = (message = 'same'): Error =>
    Object.assign(new Error(message), { stack: 'f@https://shop.test/app.js:1:2' });

  test('is counted, and the count is told when it comes after five seconds', async () => {
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

  test('is no repeat if it is the very same error on its way to the page', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    const { captureException } = await openPage();
    const error = again();
    captureException(error);
    error.message += ', told to the user';
    throwUncaught(error);
    await vi.advanceTimersByTimeAsync(6_000);
    captureException(again());
    await vi.advanceTimersByTimeAsync(10);
    vi.useRealTimers();
    expect((await sent()).map(({ metadata }) => metadata)).toEqual([undefined, undefined]);
  });
});

test('an error is told in the words that it had when it was captured', async () => {
  const { captureException } = await openPage();
  const error = new Error('as it was');
  captureException(error);
  error.message = 'as the page shows it';
  expect((await theReport()).message).toBe('as it was');
});

test('an error that was captured in an earlier task and comes to the window later is one report', async () => {
  const { captureException } = await openPage();
  const error = new Error('on its way');
  captureException(error);
  await theReport();
  window.dispatchEvent(
    new ErrorEvent('error', { error, message: 'Uncaught Error: on its way', filename: 'a.js', lineno: 7, colno: 3 }),
  );
  captureException(new Error('next'));
  expect((await sent()).map(({ message }) => message)).toEqual(['on its way', 'next']);
});

test('a storm of uncaught errors is one report and its count, other words and other calls are others', async () => {
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

test('what is no error is told as it was when it was thrown', async () => {
  const { captureException } = await openPage();
  const state = { step: 'paying' };
  captureException(state);
  state.step = 'idle';
  expect((await theReport()).message).toBe('{"step":"paying"}');
});

test('errors that come while the page is leaving are held to the limit, too', async () => {
  const { captureException } = await openPage();
  window.dispatchEvent(new Event('pagehide'));
  for (let count = 0; count < 30; count++) captureException(new Error(`late ${count}`));
  expect(await sent()).toHaveLength(10);
});

test('setUser() takes an id and nothing else, and says so', async () => {
  const { setUser } = await openPage();
  setUser({ id: '7', name: 'Ada' } as never);
  expect(warnings()).toEqual(['W12: setUser() takes { id } only']);
});

test('captureMessage() and captureException() take a context of anything', async () => {
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

test('what comes again is heard each time, however long it was held back', async () => {
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

test("a line of the page's own message is no script of an extension", async () => {
  expect(await told({}, new Error('Request failed\nurl: /api/pay'))).toEqual(['Request failed\nurl: /api/pay']);
});

test('a sampleRate that is no number lets all through', async () => {
  expect(await told({ sampleRate: NaN }, new Error('a'))).toEqual(['a']);
});

test('the id of a report and the newest breadcrumbs stay, however much there is', async () => {
  const { captureException, addBreadcrumb } = await openPage();
  for (let count = 1; count <= 64; count++) addBreadcrumb({ message: `${count} ${'x'.repeat(500)}` });
  const error = new Error('large');
  error.stack = `${'f@https://shop.test/app.js:1:2\n'.repeat(600)}`;
  captureException(error, { metadata: { text: 'y'.repeat(14_000) } });
  const { event_id, breadcrumbs } = await theReport();
  expect(event_id).toEqual(expect.any(String));
  expect(breadcrumbs?.at(-1)?.data.message).toMatch(/^64 /);
});
