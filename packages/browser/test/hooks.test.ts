/* oxlint-disable unicorn/prefer-add-event-listener -- window.onerror is what is tested */
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Report } from '../src/index.ts';
import { loadPage, openPage, options, rejectUnhandled, sent, theReport, throwUncaught, warnings } from './page.ts';

afterEach(() => {
  window.onerror = null;
});

describe('an uncaught error', () => {
  test('is one report, though a listener and window.onerror both saw it', async () => {
    await openPage();
    throwUncaught(new TypeError('no cart'));
    expect(await theReport()).toMatchObject({ type: 'TypeError', message: 'no cart' });
    expect(await theReport()).not.toHaveProperty('metadata');
  });

  test('is reported though the page replaced window.onerror later', async () => {
    await openPage();
    const page = vi.fn<() => void>();
    window.onerror = page;
    throwUncaught(new Error('hidden'));
    expect(await theReport()).toMatchObject({ message: 'hidden' });
    expect(page).toHaveBeenCalledOnce();
  });

  test('still reaches the handler that was there before, and its answer counts', async () => {
    const earlier = vi.fn<OnErrorEventHandlerNonNull>(() => true);
    window.onerror = earlier;
    await openPage();
    const error = new Error('both');
    expect(window.onerror('Uncaught Error: both', 'https://shop.test/app.js', 1, 2, error)).toBe(true);
    expect(earlier).toHaveBeenCalledExactlyOnceWith('Uncaught Error: both', 'https://shop.test/app.js', 1, 2, error);
    expect(await theReport()).toMatchObject({ message: 'both' });
  });

  test('is nothing that our handler has an answer to, where there was none before', async () => {
    await openPage();
    expect(window.onerror?.('Uncaught Error: unanswered')).toBeUndefined();
  });

  test('is reported as it was when it was captured, whatever the page makes of it later', async () => {
    const { captureException } = await openPage();
    const error = new Error('declined');
    captureException(error);
    error.message = 'Checkout failed: declined';
    expect(await theReport()).toMatchObject({ message: 'declined' });
  });

  test('is reported when it comes by a direct call of window.onerror, with an event alone too', async () => {
    await openPage();
    window.onerror?.('Uncaught ReferenceError: a is not defined');
    window.onerror?.(new ErrorEvent('error', { error: new Error('b'), message: 'Uncaught Error: b' }));
    expect((await sent()).map((report) => report.message)).toEqual(['ReferenceError: a is not defined', 'b']);
  });

  test('that the page throws in its own handler is reported too', async () => {
    await openPage();
    const page = vi.fn<() => void>().mockImplementationOnce(() => throwUncaught(new Error('second')));
    window.addEventListener('error', page);
    throwUncaught(new Error('first'));
    window.removeEventListener('error', page);
    expect((await sent()).map((report) => report.message)).toEqual(['first', 'second']);
  });

  test('of a ResizeObserver and a script of another origin is noise', async () => {
    await openPage();
    throwUncaught(null, 'ResizeObserver loop completed with undelivered notifications.');
    throwUncaught(null, 'Script error.');
    expect(await sent()).toEqual([]);
  });
});

// The browser calls window.onerror before or after the listener, as the page set it before or after init.
test.each([false, true])('an uncaught error is one capture, now and when it comes again', async (isEarly) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  const beforeSend = vi.fn<(report: Report) => Report>((report) => report);
  if (isEarly) window.onerror = () => {};
  await openPage({ beforeSend });
  const error = new Error('same');
  const throwAgain = () => {
    if (isEarly) window.onerror?.('Uncaught Error: same', 'https://shop.test/app.js', 3, 7, error);
    throwUncaught(error);
  };
  throwAgain();
  await vi.advanceTimersByTimeAsync(5_400);
  throwAgain();
  await vi.advanceTimersByTimeAsync(10);
  vi.useRealTimers();
  expect((await sent()).map(({ metadata }) => metadata)).toEqual([undefined, undefined]);
  expect(beforeSend).toHaveBeenCalledTimes(2);
});

describe('a promise that nobody handles', () => {
  test.each([
    [new RangeError('too far'), { type: 'RangeError', message: 'too far' }],
    ['no network', { message: 'no network' }],
    [{ reason: 'none' }, { message: '{"reason":"none"}' }],
    [undefined, { message: 'undefined' }],
    [null, { message: 'null' }],
  ])('is reported when it is rejected with %s', async (reason, expected) => {
    await openPage();
    rejectUnhandled(reason);
    expect(await theReport()).toMatchObject(expected);
  });
});

test('an error that is captured and then thrown is one report', async () => {
  const { captureException } = await openPage();
  const error = new Error('once');
  captureException(error);
  throwUncaught(error);
  expect(await sent()).toHaveLength(1);
});

describe('init', () => {
  test('a second time warns and changes nothing', async () => {
    const { init, captureException } = await openPage({ release: '1' });
    init({ ...options, release: '2' });
    captureException(new Error('x'));
    expect(await theReport()).toMatchObject({ release: '1' });
    expect(warnings()).toEqual(['W1: Init once']);
  });

  test.each([[undefined], [null], [{}], [{ apiKey: 'pk_test' }], ['pk_test'], [7]])(
    'with %j says what it needs and does nothing',
    async (wrong) => {
      const { init } = await loadPage();
      const { onerror, fetch } = window;
      init(wrong as unknown as typeof options);
      expect(warnings()).toHaveLength(1);
      expect(window.onerror).toBe(onerror);
      expect(window.fetch).toBe(fetch);
    },
  );

  test('survives options that cannot be read', async () => {
    const { init, captureException } = await loadPage();
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    init(proxy as typeof options);
    init(Object.defineProperty({}, 'apiKey', { enumerable: true, get: () => JSON.parse('{') }) as typeof options);
    captureException(new Error('x'));
    expect(await sent()).toEqual([]);
    expect(warnings()).toHaveLength(2);
  });

  test('hooks what it can where the console is frozen', async () => {
    const { init } = await loadPage();
    const { console } = window;
    vi.stubGlobal('console', Object.freeze({ ...console }));
    init(options);
    throwUncaught(new Error('all the same'));
    expect(await theReport()).toMatchObject({ message: 'all the same' });
  });
});

test('nothing that is handed to the SDK makes it throw', async () => {
  const { captureException, captureMessage, setUser, setMetadata } = await openPage();
  captureException(new Error('still reported'), null as never);
  for (const odd of [Symbol('s'), null, undefined, 5, () => {}]) {
    captureMessage(odd as never, odd as never);
    setUser(odd as never);
    setMetadata(odd as never);
  }
  expect((await sent()).map((report) => report.message)).toContain('still reported');
});

test('before init nothing is sent or thrown, and the console says so once', async () => {
  const { captureException, captureMessage, addBreadcrumb, setUser, setMetadata, flush } = await loadPage();
  captureException(new Error('early'));
  captureMessage('early');
  addBreadcrumb({ message: 'early' });
  setUser({ id: '1' });
  setMetadata({ a: 1 });
  await expect(flush()).resolves.toBe(true);
  expect(await sent()).toEqual([]);
  expect(warnings()).toEqual(['W3: Call init() first']);
});

describe('close', () => {
  test('puts everything back that init touched', async () => {
    const originals = () => [
      window.onerror,
      window.fetch,
      history.pushState,
      history.replaceState,
      console.debug,
      console.info,
      console.log,
      console.warn,
      console.error,
    ];
    const { init, close } = await loadPage();
    const before = originals();
    init(options);
    originals().forEach((hooked, index) => expect(hooked).not.toBe(before[index]));
    close();
    expect(originals()).toEqual(before);
    throwUncaught(new Error('unheard'));
    rejectUnhandled(new Error('unheard'));
    expect(await sent()).toEqual([]);
  });

  test('makes a wrapper that is buried below another transparent', async () => {
    const { init, close, captureException } = await openPage();
    const buried = console.log;
    console.log = (...args) => buried(...args);
    close();
    console.log('between');
    init(options);
    captureException(new Error('x'));
    expect(await theReport()).not.toHaveProperty('breadcrumbs');
  });

  test('lets init start again, with hooks and context as new', async () => {
    const { init, close, setUser, setMetadata, addBreadcrumb } = await openPage();
    setUser({ id: '7' });
    setMetadata({ cart: 3 });
    addBreadcrumb({ message: 'old' });
    close();
    init(options);
    throwUncaught(new Error('again'));
    const { user, metadata, breadcrumbs } = await theReport();
    expect([user, metadata, breadcrumbs]).toEqual([undefined, undefined, undefined]);
  });

  test('keeps what was captured a moment ago from whoever comes next', async () => {
    const { init, close, captureException } = await openPage();
    const removed = vi.spyOn(window, 'removeEventListener');
    const [first, again] = [1, 2].map(() => new Error('one'));
    captureException(first);
    captureException(new Error('two'));
    close();
    expect(removed.mock.calls.map(([type]) => type)).toContain('pagehide');
    init({ ...options, apiKey: 'pk_other' });
    captureException(again);
    captureException(new Error('two'));
    expect((await sent()).map(({ project_api_key: key, message }) => [key, message])).toEqual([
      ['pk_other', 'one'],
      ['pk_other', 'two'],
    ]);
    expect(warnings()).toEqual([]);
  });

  test('can be called at any time', async () => {
    const { close } = await loadPage();
    close();
    close();
    expect(warnings()).toEqual([]);
  });
});

test('wrapped functions keep their name, their length and what they look like', async () => {
  const shape = (wrapped: unknown) => {
    const { name, length } = wrapped as () => void;
    return { name, length };
  };
  const { init } = await loadPage();
  const before = [window.fetch, history.pushState, console.log].map(shape);
  init(options);
  expect([window.fetch, history.pushState, console.log].map(shape)).toEqual(before);
  expect(String(history.pushState)).toContain('native code');
});
