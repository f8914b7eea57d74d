import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { ErrorReport, Options } from '../src/index.ts';
import {
  accepted,
  loadPage,
  newError,
  openPage,
  options,
  rejected,
  reports,
  requests,
  sent,
  serve,
  onlyReport,
  warnings,
} from './page.ts';

const quotaWarning = 'W9';
const keyWarning = 'W8';
const reachWarning = 'W10';

type Transport = NonNullable<Options['transport']>;

/** Stops the clock: time passes only by `advance()`. */
function stopTheClock(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
}

/** Advances the clock and runs all due timers. */
async function advance(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
}

function goOnline(isOnline: boolean): void {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline);
  if (isOnline) window.dispatchEvent(new Event('online'));
}

test('a report says what happened, where and when', async () => {
  const { captureException } = await openPage({ environment: 'production', release: '1.2.3' });
  captureException(new TypeError('no cart'));
  expect(await onlyReport()).toEqual({
    project_api_key: 'pk_test',
    event_id: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/),
    type: 'TypeError',
    message: 'no cart',
    stacktrace: expect.stringMatching(/^TypeError: no cart\n {4}at /),
    environment: 'production',
    release: '1.2.3',
    url: location.href,
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    sdk: { name: '@service/browser', version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
    device: { viewport: '1024x768', language: 'en-US' },
  });
});

test('posts a report as JSON, without credentials or referrer, and follows no redirect', async () => {
  const { captureException } = await openPage({ endpoint: 'https://errors.test/' });
  captureException(newError());
  await sent();
  const [request] = requests;
  expect(request?.url).toBe('https://errors.test/api/v1/errors');
  expect(request?.method).toBe('POST');
  expect(request?.headers.get('content-type')).toMatch(/^application\/json\b/);
  expect(request).toMatchObject({ credentials: 'omit', referrerPolicy: 'no-referrer', redirect: 'error' });
});

test('makes no request before the first error', async () => {
  await openPage();
  expect(await sent()).toEqual([]);
});

describe('after a 429', () => {
  test('sends nothing more after a 429 and warns once', async () => {
    const { captureException } = await openPage();
    serve(() => rejected(429, { 'Retry-After': '1' }));
    captureException(newError());
    captureException(newError());
    await sent();
    for (let count = 0; count < 5; count++) captureException(newError());
    expect(await sent()).toHaveLength(2);
    expect(warnings()).toEqual([quotaWarning]);
  });

  test('sends nothing after a 429, even after close() and init()', async () => {
    const { captureException, init, close } = await openPage();
    serve(() => rejected(429));
    captureException(newError());
    await sent();
    close();
    init(options);
    captureException(newError());
    expect(await sent()).toHaveLength(1);
  });

  test('drops pending retries after a 429', async () => {
    const { captureException } = await openPage();
    stopTheClock();
    serve((attempt) => rejected(attempt === 1 ? 503 : 429));
    captureException(newError());
    await advance(10);
    captureException(newError());
    await advance(60_000);
    expect(reports).toHaveLength(2);
  });

  test('sends again after a 429 once the page is reloaded', async () => {
    const { captureException } = await openPage();
    serve(() => rejected(429));
    captureException(newError());
    await sent();
    const reloaded = await openPage();
    reloaded.captureException(newError());
    expect(await sent()).toHaveLength(1);
  });
});

test('neither reads errors nor calls beforeSend after a 429', async () => {
  const beforeSend = vi.fn<(report: ErrorReport) => ErrorReport>((report) => report);
  const { captureException } = await openPage({ beforeSend });
  serve(() => rejected(429));
  captureException(newError());
  await sent();
  const message = vi.fn<() => string>(() => 'unread');
  captureException(Object.defineProperty(newError(), 'message', { get: message }));
  await sent();
  expect(beforeSend).toHaveBeenCalledOnce();
  expect(message).not.toHaveBeenCalled();
});

test('sends nothing more after a 401 and warns about the key', async () => {
  const { captureException } = await openPage();
  serve(() => rejected(401));
  captureException(newError());
  await sent();
  captureException(newError());
  expect(await sent()).toHaveLength(1);
  expect(warnings()).toEqual([keyWarning]);
});

describe('an unreachable server', () => {
  beforeEach(stopTheClock);

  test.each([
    ['rejects the origin', () => rejected(403)],
    ['is blocked by CORS', () => Response.error()],
  ])('a server that %s gets three tries, then none for a minute', async (_, respond) => {
    const { captureException } = await openPage();
    serve(respond);
    for (let count = 0; count < 8; count++) {
      captureException(newError());
      await advance(5_000);
    }
    expect(reports).toHaveLength(3);
    expect(warnings()).toEqual([reachWarning]);

    serve(() => accepted());
    await advance(60_000);
    captureException(newError());
    await advance(10);
    expect(reports).toHaveLength(4);
  });

  test('is tried again after the clock was set back, and gets none for a minute again', async () => {
    const { captureException } = await openPage();
    serve(() => rejected(403));
    for (let count = 0; count < 4; count++) {
      captureException(newError());
      await advance(5_000);
    }
    expect(reports).toHaveLength(3);
    vi.setSystemTime(Date.now() - 3_600_000);
    for (let count = 0; count < 4; count++) {
      captureException(newError());
      await advance(5_000);
    }
    expect(reports).toHaveLength(4);
  });

  test('counts failures from zero again once the server accepts a report', async () => {
    const { captureException } = await openPage();
    serve((attempt) => (attempt % 3 === 0 ? accepted() : rejected(403)));
    for (let count = 0; count < 7; count++) {
      captureException(newError());
      await advance(5_000);
    }
    expect(reports).toHaveLength(7);
  });
});

describe('a server that fails', () => {
  beforeEach(stopTheClock);

  test('retries a failed report twice with the same event_id', async () => {
    const { captureException, flush } = await openPage();
    serve(() => rejected(500));
    captureException(newError());
    const flushed = flush(600_000);
    await advance(60_000);
    expect(reports).toHaveLength(3);
    expect(new Set(reports.map((report) => report.event_id)).size).toBe(1);
    await expect(flushed).resolves.toBe(true);
    expect(warnings()).toEqual(['W14']);
  });

  test('sends nothing more once close() has resolved', async () => {
    const { captureException, close, init } = await openPage();
    serve(() => rejected(500));
    captureException(newError());
    await advance(500);
    expect(reports).toHaveLength(1);
    const closed = close(100);
    init({ ...options, apiKey: 'pk_other' });
    await advance(100);
    await expect(closed).resolves.toBe(false);
    await advance(60_000);
    expect(reports).toHaveLength(1);
    expect(warnings()).toEqual([]);
  });

  test('retries no earlier than Retry-After allows', async () => {
    const { captureException } = await openPage();
    serve((attempt) => (attempt === 1 ? rejected(503, { 'Retry-After': '20' }) : accepted()));
    captureException(newError());
    await advance(19_900);
    expect(reports).toHaveLength(1);
    await advance(200);
    expect(reports).toHaveLength(2);
    await advance(60_000);
    expect(reports).toHaveLength(2);
  });

  test.each(['-5', '0', 'soon', ''])('waits the usual second if Retry-After is %j', async (retryAfter) => {
    const { captureException } = await openPage();
    serve((attempt) => (attempt === 1 ? rejected(503, { 'Retry-After': retryAfter }) : accepted()));
    captureException(newError());
    await advance(900);
    expect(reports).toHaveLength(1);
    await advance(200);
    expect(reports).toHaveLength(2);
  });

  test('aborts a request after ten seconds', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => AbortSignal.abort());
    const { captureException } = await openPage();
    captureException(newError());
    await advance(10);
    expect(timeout).toHaveBeenCalledWith(10_000);
    timeout.mockRestore();
    await advance(2_000);
    expect(reports).toHaveLength(1);
  });
});

describe('offline', () => {
  test('waits for the network if it fails while offline', async () => {
    stopTheClock();
    const { captureException } = await openPage();
    serve(() => {
      goOnline(false);
      return Response.error();
    });
    captureException(newError());
    await advance(500);
    serve(() => accepted());
    goOnline(true);
    await advance(1_000);
    expect(reports).toHaveLength(2);
    expect(warnings()).toEqual([]);
  });
});

describe('the rate limit', () => {
  beforeEach(stopTheClock);

  test('sends ten errors at once and one more each second, and warns once', async () => {
    const { captureException } = await openPage();
    for (let count = 0; count < 30; count++) captureException(newError());
    await advance(10);
    expect(reports).toHaveLength(10);
    await advance(2_000);
    for (let count = 0; count < 30; count++) captureException(newError());
    await advance(10);
    expect(reports).toHaveLength(12);
    expect(warnings()).toEqual(['W6']);
  });

  test('sends the same error once in five seconds', async () => {
    const { captureException } = await openPage();
    const fail = () => captureException(Object.assign(new Error('same'), { stack: 'f@https://shop.test/app.js:1:2' }));
    for (let count = 0; count < 1_000; count++) fail();
    await advance(4_900);
    fail();
    await advance(200);
    expect(reports).toHaveLength(1);
    fail();
    await advance(10);
    expect(reports).toHaveLength(2);
  });

  test('compares errors with the same message by their stack', async () => {
    const { captureException } = await openPage();
    captureException(new Error('same'));
    captureException(new Error('same'));
    await advance(10);
    expect(reports).toHaveLength(2);
  });

  test('compares values that are not errors by identity', async () => {
    const { captureException } = await openPage();
    const odd = {};
    captureException(odd);
    captureException(odd);
    captureException({});
    captureException('text');
    captureException('text');
    await advance(10);
    expect(reports.map(({ message }) => message)).toEqual(['{}', '{}', 'text']);
  });
});

describe('a large report', () => {
  test('keeps a report with large breadcrumbs below 64 KiB', async () => {
    const { captureException, addBreadcrumb } = await openPage();
    for (let count = 0; count < 64; count++) {
      if (count % 2) addBreadcrumb({ message: `${count} ${'ü'.repeat(900)}` });
      else console.log(`${count} ${'ü'.repeat(900)}`, { text: 'ü'.repeat(900) });
    }
    captureException(newError(), { metadata: { text: 'ü'.repeat(5_000) } });
    const all = await onlyReport();
    expect(new Blob([JSON.stringify(all)]).size).toBeLessThanOrEqual(65_536);
    // The oldest breadcrumbs were dropped.
    expect(all.breadcrumbs?.length).toBeGreaterThan(10);
    expect(all.breadcrumbs?.at(-1)?.data.message).toMatch(/^63 /);
  });

  test('keeps the error if the metadata of its report is too large', async () => {
    const { captureException, setMetadata } = await openPage();
    setMetadata(Object.fromEntries(Array.from({ length: 70 }, (_, key) => [`k${key}`, 'x'.repeat(1_000)])));
    const error = newError();
    captureException(error);
    const report = await onlyReport();
    expect(report).toMatchObject({ message: error.message, event_id: expect.any(String) });
    expect(report.stacktrace).toContain(error.message);
  });

  test('keeps all fields of a report if one text is huge', async () => {
    const { captureException } = await openPage({ environment: 'production', release: '1.2.0' });
    await fetch(`https://shop.test/${'x'.repeat(70_000)}`);
    captureException(newError());
    const report = await onlyReport();
    expect(report).toMatchObject({ environment: 'production', release: '1.2.0', sdk: { name: '@service/browser' } });
    expect(report.breadcrumbs?.at(-1)?.data).toMatchObject({ url: expect.stringMatching(/^https:.*…$/), status: 203 });
    expect(JSON.stringify(report).length).toBeLessThan(30_000);
  });

  test('sends reports without keepalive if too many bytes are in flight', async () => {
    const keepalive: boolean[] = [];
    let respond = (): void => {};
    const areAllSent = new Promise<void>((resolve) => (respond = resolve));
    const network = vi.fn<(url: string, init: RequestInit) => Promise<Response>>(async (_, init) => {
      if (keepalive.push(init.keepalive === true) === 10) respond();
      await areAllSent;
      return accepted();
    });
    vi.stubGlobal('fetch', network);
    const { captureException, flush } = await openPage();
    for (let count = 0; count < 8; count++) captureException(newError(), { metadata: { text: 'x'.repeat(20_000) } });
    for (let count = 0; count < 2; count++) captureException(new Error('m'.repeat(4_000) + count));
    await flush();
    expect(network).toHaveBeenCalledTimes(10);
    const inFlight = network.mock.calls.map(([, init]) => String(init.body).length);
    let bytes = 0;
    expect(keepalive).toEqual(inFlight.map((size) => (bytes += size) < 30_000));
    expect(keepalive).toContain(true);
  });

  test('is sent with keepalive when the page is left', async () => {
    const network = vi.fn<(url: string, init: RequestInit) => Promise<Response>>(async () => accepted());
    vi.stubGlobal('fetch', network);
    const { captureException, flush } = await openPage();
    window.dispatchEvent(new Event('pagehide'));
    captureException(newError(), { metadata: { one: 'x'.repeat(18_000), two: 'x'.repeat(18_000) } });
    await flush();
    expect(network.mock.calls.map(([, init]) => init.keepalive)).toEqual([true]);
    expect(String(network.mock.calls[0]?.[1].body).length).toBeGreaterThan(32_000);
  });
});

test('sends reports in browsers without AbortSignal.timeout', async () => {
  vi.stubGlobal('AbortSignal', {});
  const { captureException } = await openPage();
  captureException(newError());
  expect(await sent()).toHaveLength(1);
  expect(warnings()).toEqual([]);
});

describe('the transport option', () => {
  test('accepts plain headers from a transport', async () => {
    vi.useFakeTimers();
    const transport = vi.fn<() => Promise<object>>(async () => ({ status: 503, headers: { 'Retry-After': '1' } }));
    const { captureException, flush } = await openPage({ transport: transport as Transport });
    captureException(newError());
    await vi.advanceTimersByTimeAsync(20_000);
    expect(transport).toHaveBeenCalledTimes(3);
    const flushed = flush();
    await vi.advanceTimersByTimeAsync(3_000);
    expect(await flushed).toBe(true);
  });

  test('a transport replaces the network', async () => {
    const transport = vi.fn<Transport>(async () => ({ status: 200 }));
    const { captureException } = await openPage({ transport });
    captureException(new Error('elsewhere'));
    expect(await sent()).toEqual([]);
    expect(transport).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ message: 'elsewhere' }));
  });

  test('a transport gets no report after it has returned 429', async () => {
    const transport = vi.fn<Transport>(async () => ({ status: 429 }));
    const { captureException } = await openPage({ transport });
    captureException(newError());
    await sent();
    captureException(newError());
    await sent();
    expect(transport).toHaveBeenCalledOnce();
    expect(warnings()).toEqual([quotaWarning]);
  });

  test.each<[string, () => unknown]>([
    ['throws', () => JSON.parse('{')],
    ['rejects', () => Promise.reject(new Error('closed'))],
    ['returns nothing', () => undefined],
  ])('a transport that %s causes one warning and no error', async (_, transport) => {
    stopTheClock();
    const { captureException } = await openPage({ transport: transport as never });
    captureException(newError());
    await advance(60_000);
    captureException(newError());
    await advance(60_000);
    expect(warnings()).toEqual([reachWarning]);
  });

  test('a transport that returns an invalid status causes no error', async () => {
    stopTheClock();
    const response = { status: 'yes', headers: { get: () => JSON.parse('{') } };
    const { captureException } = await openPage({ transport: (async () => response) as never });
    captureException(newError());
    await advance(60_000);
    expect(warnings()).toEqual([]);
  });

  test('warns about a transport that is not a function, and uses the default', async () => {
    const { captureException } = await openPage({ transport: 'https://errors.test' as never });
    captureException(newError());
    expect(await sent()).toHaveLength(1);
    expect(warnings()).toEqual(['W4']);
  });
});

describe('flush', () => {
  test('flush() resolves with true once all reports have a response', async () => {
    const { captureException, flush } = await openPage();
    serve(async () => {
      await new Promise((resolve) => setTimeout(resolve, 30));
      return accepted();
    });
    captureException(newError());
    await expect(flush()).resolves.toBe(true);
    expect(reports).toHaveLength(1);
  });

  test('flush() resolves with false after the time-out', async () => {
    const { captureException, flush } = await openPage();
    let respond = (): void => {};
    const released = new Promise<void>((resolve) => (respond = resolve));
    serve(async () => {
      await released;
      return accepted();
    });
    captureException(newError());
    await expect(flush(10)).resolves.toBe(false);
    respond();
    await sent();
  });

  test('flush() resolves with true before init', async () => {
    const { flush } = await loadPage();
    await expect(flush()).resolves.toBe(true);
  });
});

test('does not read the stack of an error while the page is blocked', async () => {
  const { captureException } = await openPage();
  let reads = 0;
  const error = Object.defineProperty(new Error('slow'), 'stack', {
    get() {
      reads++;
      return 'Error: slow\n    at f (https://shop.test/a.js:1:2)';
    },
  });
  expect(captureException(error)).toEqual(expect.any(String));
  expect(reads).toBe(0);
  expect((await onlyReport()).stacktrace).toContain('a.js:1:2');
});

test('reports an error as it was when it was captured', async () => {
  const { captureException, addBreadcrumb, setTag } = await openPage();
  addBreadcrumb({ message: 'before' });
  setTag('step', 'one');
  const error = Object.assign(new TypeError('as thrown'), { code: 'E_ONE' });
  captureException(error);
  const { href } = location;
  Object.assign(error, { message: 'changed', name: 'Changed', code: 'E_TWO' });
  addBreadcrumb({ message: 'after' });
  setTag('step', 'two');
  history.replaceState({}, '', '/after');
  expect(await onlyReport()).toMatchObject({
    type: 'TypeError',
    message: 'as thrown',
    url: href,
    tags: { step: 'one' },
    metadata: { error: { code: 'E_ONE' } },
    breadcrumbs: [{ data: { message: 'before' } }],
  });
  history.replaceState({}, '', '/');
});

test('reports repeats among 1,000 errors of one task once', async () => {
  const { captureException, captureMessage } = await openPage();
  for (let count = 0; count < 1_000; count++) captureException(new Error(`error ${count % 3}`));
  captureMessage('the last one');
  expect((await sent()).map(({ message }) => message)).toEqual(['error 0', 'error 1', 'error 2', 'the last one']);
});

test.each(['pagehide', 'visibilitychange'])('sends pending reports at once on %s', async (name) => {
  const { captureException } = await openPage();
  stopTheClock();
  captureException(newError());
  window.dispatchEvent(new Event(name));
  vi.useRealTimers();
  await vi.waitFor(() => expect(reports).toHaveLength(1));
});
