/* oxlint-disable unicorn/prefer-add-event-listener -- these tests are about window.onerror */
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { ErrorReport } from '../src/index.ts';
import { loadPage, openPage, options, rejectUnhandled, sent, onlyReport, throwUncaught, warnings } from './page.ts';

afterEach(() => {
  window.onerror = null;
});

describe('an uncaught error', () => {
  test('reports an uncaught error once if both a listener and window.onerror receive it', async () => {
    await openPage();
    throwUncaught(new TypeError('no cart'));
    expect(await onlyReport()).toMatchObject({ type: 'TypeError', message: 'no cart' });
    expect(await onlyReport()).not.toHaveProperty('metadata');
  });

  test('reports an uncaught error if the page replaces window.onerror after init', async () => {
    await openPage();
    const page = vi.fn<() => void>();
    window.onerror = page;
    throwUncaught(new Error('hidden'));
    expect(await onlyReport()).toMatchObject({ message: 'hidden' });
    expect(page).toHaveBeenCalledOnce();
  });

  test('calls a previous window.onerror and returns its result', async () => {
    const previous = vi.fn<OnErrorEventHandlerNonNull>(() => true);
    window.onerror = previous;
    await openPage();
    const error = new Error('both');
    expect(window.onerror('Uncaught Error: both', 'https://shop.test/app.js', 1, 2, error)).toBe(true);
    expect(previous).toHaveBeenCalledExactlyOnceWith('Uncaught Error: both', 'https://shop.test/app.js', 1, 2, error);
    expect(await onlyReport()).toMatchObject({ message: 'both' });
  });

  test('window.onerror returns undefined if the page had no handler', async () => {
    await openPage();
    expect(window.onerror?.('Uncaught Error: unanswered')).toBeUndefined();
  });

  test('reports the message that the error had when it was captured', async () => {
    const { captureException } = await openPage();
    const error = new Error('declined');
    captureException(error);
    error.message = 'Checkout failed: declined';
    expect(await onlyReport()).toMatchObject({ message: 'declined' });
  });

  test('reports errors of direct calls of window.onerror, also with an event alone', async () => {
    await openPage();
    window.onerror?.('Uncaught ReferenceError: a is not defined');
    window.onerror?.(new ErrorEvent('error', { error: new Error('b'), message: 'Uncaught Error: b' }));
    expect((await sent()).map((report) => report.message)).toEqual(['ReferenceError: a is not defined', 'b']);
  });

  test('reports an error that the page throws inside its own error handler', async () => {
    await openPage();
    const page = vi.fn<() => void>().mockImplementationOnce(() => throwUncaught(new Error('second')));
    window.addEventListener('error', page);
    throwUncaught(new Error('first'));
    window.removeEventListener('error', page);
    expect((await sent()).map((report) => report.message)).toEqual(['first', 'second']);
  });

  test('drops errors of a ResizeObserver and of cross-origin scripts', async () => {
    await openPage();
    throwUncaught(null, 'ResizeObserver loop completed with undelivered notifications.');
    throwUncaught(null, 'Script error.');
    expect(await sent()).toEqual([]);
  });
});

// The browser calls window.onerror before or after the listener, depending on whether the page set it before init.
test.each([false, true])(
  'captures each occurrence of an uncaught error once (window.onerror was set before init: %s)',
  async (isEarly) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    const beforeSend = vi.fn<(report: ErrorReport) => ErrorReport>((report) => report);
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
  },
);

describe('an unhandled rejection', () => {
  test.each([
    [new RangeError('too far'), { type: 'RangeError', message: 'too far' }],
    ['no network', { message: 'no network' }],
    [{ reason: 'none' }, { message: '{"reason":"none"}' }],
    [{ code: 'SLOT_TAKEN' }, { message: '{"code":"SLOT_TAKEN"}' }],
    [{ valve: { code: 'E_VALVE_STUCK' } }, { message: '{"valve":{"code":"E_VALVE_STUCK"}}' }],
    [undefined, { message: 'undefined' }],
    [null, { message: 'null' }],
  ])('reports an unhandled rejection with the reason %s', async (reason, expected) => {
    await openPage();
    rejectUnhandled(reason);
    expect(await onlyReport()).toMatchObject(expected);
  });
});

test('reports an error once that is captured and then thrown', async () => {
  const { captureException } = await openPage();
  const error = new Error('once');
  captureException(error);
  throwUncaught(error);
  expect(await sent()).toHaveLength(1);
});

describe('init', () => {
  test('warns and changes nothing when init is called twice', async () => {
    const { init, captureException } = await openPage({ release: '1' });
    init({ ...options, release: '2' });
    captureException(new Error('x'));
    expect(await onlyReport()).toMatchObject({ release: '1' });
    expect(warnings()).toEqual(['W1']);
  });

  test.each([[undefined], [null], [{}], [{ apiKey: 'pk_test' }], ['pk_test'], [7]])(
    'init warns and does nothing with the options %j',
    async (wrong) => {
      const { init } = await loadPage();
      const { onerror, fetch } = window;
      init(wrong as unknown as typeof options);
      expect(warnings()).toHaveLength(1);
      expect(window.onerror).toBe(onerror);
      expect(window.fetch).toBe(fetch);
    },
  );

  test('init survives options that cannot be read', async () => {
    const { init, captureException } = await loadPage();
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    init(proxy as typeof options);
    init(Object.defineProperty({}, 'apiKey', { enumerable: true, get: () => JSON.parse('{') }) as typeof options);
    captureException(new Error('x'));
    expect(await sent()).toEqual([]);
    expect(warnings()).toHaveLength(2);
  });

  test('init installs the other hooks if the console is frozen', async () => {
    const { init } = await loadPage();
    const { console } = window;
    vi.stubGlobal('console', Object.freeze({ ...console }));
    init(options);
    throwUncaught(new Error('all the same'));
    expect(await onlyReport()).toMatchObject({ message: 'all the same' });
  });
});

test('never throws, whatever a page passes to the SDK', async () => {
  const { captureException, captureMessage, setUser, setMetadata } = await openPage();
  captureException(new Error('still reported'), null as never);
  for (const odd of [Symbol('s'), null, undefined, 5, () => {}]) {
    captureMessage(odd as never, odd as never);
    setUser(odd as never);
    setMetadata(odd as never);
  }
  expect((await sent()).map((report) => report.message)).toContain('still reported');
});

test('warns once and reports nothing before init', async () => {
  const { captureException, captureMessage, addBreadcrumb, setUser, setMetadata, flush } = await loadPage();
  captureException(new Error('early'));
  captureMessage('early');
  addBreadcrumb({ message: 'early' });
  setUser({ id: '1' });
  setMetadata({ a: 1 });
  await expect(flush()).resolves.toBe(true);
  expect(await sent()).toEqual([]);
  expect(warnings()).toEqual(['W3']);
});

describe('close', () => {
  test('close() restores everything that init patched', async () => {
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
    const ownNames = Object.getOwnPropertyNames(history);
    init(options);
    originals().forEach((hooked, index) => expect(hooked).not.toBe(before[index]));
    void close();
    expect(originals()).toEqual(before);
    expect(Object.getOwnPropertyNames(history)).toEqual(ownNames);
    throwUncaught(new Error('unheard'));
    rejectUnhandled(new Error('unheard'));
    expect(await sent()).toEqual([]);
  });

  test('after close(), a patch that the page has wrapped only passes calls on', async () => {
    const { init, close, captureException } = await openPage();
    const buried = console.log;
    console.log = (...args) => buried(...args);
    close();
    console.log('between');
    init(options);
    captureException(new Error('x'));
    expect(await onlyReport()).not.toHaveProperty('breadcrumbs');
  });

  test('init starts with fresh hooks and a fresh scope after close()', async () => {
    const { init, close, setUser, setMetadata, addBreadcrumb } = await openPage();
    setUser({ id: '7' });
    setMetadata({ cart: 3 });
    addBreadcrumb({ message: 'old' });
    close();
    init(options);
    throwUncaught(new Error('again'));
    const { user, metadata, breadcrumbs } = await onlyReport();
    expect([user, metadata, breadcrumbs]).toEqual([undefined, undefined, undefined]);
  });

  test('close() sends what was captured, also if init() follows at once', async () => {
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
      ['pk_test', 'one'],
      ['pk_test', 'two'],
      ['pk_other', 'one'],
      ['pk_other', 'two'],
    ]);
    expect(warnings()).toEqual([]);
  });

  test('close() can be called at any time', async () => {
    const { close } = await loadPage();
    close();
    close();
    expect(warnings()).toEqual([]);
  });
});

test('patched functions keep their name, their length and their source text', async () => {
  const shape = (wrapped: unknown) => {
    const { name, length } = wrapped as () => void;
    return { name, length, text: String(wrapped) };
  };
  const { init } = await loadPage();
  const before = [window.fetch, history.pushState, console.log].map(shape);
  init(options);
  expect([window.fetch, history.pushState, console.log].map(shape)).toEqual(before);
});
