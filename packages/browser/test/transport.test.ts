import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Options, Report } from '../src/index.ts';
import {
  accepted,
  loadPage,
  openPage,
  options,
  refused,
  reports,
  requests,
  sent,
  serve,
  theReport,
  warnings,
} from './page.ts';

const quotaWarning = 'W9: No quota';
const keyWarning = 'W8: Check apiKey';
const reachWarning = 'W10: Check allow-list';

type Transport = NonNullable<Options['transport']>;

/** Time passes only when a test says so. */
function stopTheClock(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
}

/** Lets time pass, and whatever is due happen. */
async function pass(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
}

let nextError = 0;
/** An error like no other before it. */
const newError = () => new Error(`error ${++nextError}`);

function goOnline(isOnline: boolean): void {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline);
  if (isOnline) window.dispatchEvent(new Event('online'));
}

test('a report says what, where, when and by whom', async () => {
  const { captureException } = await openPage({ environment: 'production', release: '1.2.3' });
  captureException(new TypeError('no cart'));
  expect(await theReport()).toEqual({
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
  });
});

test('it is posted as JSON, without credentials or referrer, and follows no redirect', async () => {
  const { captureException } = await openPage({ endpoint: 'https://errors.test/' });
  captureException(newError());
  await sent();
  const [request] = requests;
  expect(request?.url).toBe('https://errors.test/api/v1/errors');
  expect(request?.method).toBe('POST');
  expect(request?.headers.get('content-type')).toMatch(/^application\/json\b/);
  expect(request).toMatchObject({ credentials: 'omit', referrerPolicy: 'no-referrer', redirect: 'error' });
});

test('no request is made before there is an error', async () => {
  await openPage();
  expect(await sent()).toEqual([]);
});

describe('context', () => {
  test('of the page goes with every report, that of a call with its own', async () => {
    const { captureException, setMetadata, setUser } = await openPage();
    setUser({ id: '7' });
    setMetadata({ cart: { items: 3 }, plan: 'free' });
    setMetadata({ plan: null, theme: 'dark' });
    captureException(newError(), { level: 'warning', metadata: { step: 2 }, user: { id: '8' } });
    captureException(newError());
    const [own, shared] = await sent();
    expect(own).toMatchObject({
      level: 'warning',
      user: { id: '8' },
      metadata: { cart: { items: 3 }, theme: 'dark', step: 2 },
    });
    expect(shared).toMatchObject({ user: { id: '7' } });
    expect(shared?.metadata).toEqual({ cart: { items: 3 }, theme: 'dark' });
    expect(shared).not.toHaveProperty('level');
  });

  test('is that of the moment when it was captured, and null is none', async () => {
    const { captureException, captureMessage, setMetadata } = await openPage();
    setMetadata({ step: 1 });
    captureException(newError(), null as never);
    captureMessage('hello', null as never);
    setMetadata({ step: 2 });
    const [thrown, told] = await sent();
    expect(thrown?.metadata).toEqual({ step: 1 });
    expect(told).toMatchObject({ level: 'info', metadata: { step: 1 } });
  });

  test('is copied at the call', async () => {
    const { captureException, setMetadata } = await openPage();
    const cart = { items: 1 };
    const step = { name: 'pay' };
    setMetadata({ cart });
    captureException(newError(), { metadata: { step } });
    cart.items = 2;
    step.name = 'done';
    expect((await theReport()).metadata).toEqual({ cart: { items: 1 }, step: { name: 'pay' } });
  });

  test('of a user is the id and nothing else', async () => {
    const { captureException, setUser } = await openPage();
    setUser({ id: 7, name: 'Ada' } as never);
    captureException(newError());
    expect((await theReport()).user).toEqual({ id: '7' });
  });

  test('that cannot be read harms nothing', async () => {
    const { captureException, setMetadata, setUser } = await openPage();
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    setMetadata(proxy);
    setUser(proxy as never);
    setMetadata({ fine: 1, deep: Object.defineProperty({}, 'bad', { enumerable: true, get: () => JSON.parse('{') }) });
    setMetadata({ later: 2 });
    captureException(newError());
    expect((await theReport()).metadata).toMatchObject({ later: 2 });
  });
});

describe('after a 429', () => {
  test('nothing more is sent, and the console says so once', async () => {
    const { captureException } = await openPage();
    serve(() => refused(429, { 'Retry-After': '1' }));
    captureException(newError());
    captureException(newError());
    await sent();
    for (let count = 0; count < 5; count++) captureException(newError());
    expect(await sent()).toHaveLength(2);
    expect(warnings()).toEqual([quotaWarning]);
  });

  test('close and init change nothing', async () => {
    const { captureException, init, close } = await openPage();
    serve(() => refused(429));
    captureException(newError());
    await sent();
    close();
    init(options);
    captureException(newError());
    expect(await sent()).toHaveLength(1);
  });

  test('what waits for another try is not sent either', async () => {
    const { captureException } = await openPage();
    stopTheClock();
    serve((attempt) => refused(attempt === 1 ? 503 : 429));
    captureException(newError());
    await pass(10);
    captureException(newError());
    await pass(60_000);
    expect(reports).toHaveLength(2);
  });

  test('a reload of the page starts anew', async () => {
    const { captureException } = await openPage();
    serve(() => refused(429));
    captureException(newError());
    await sent();
    const reloaded = await openPage();
    reloaded.captureException(newError());
    expect(await sent()).toHaveLength(1);
  });
});

test('what comes after the stop is neither described nor shown to beforeSend', async () => {
  const beforeSend = vi.fn<(report: Report) => Report>((report) => report);
  const { captureException } = await openPage({ beforeSend });
  serve(() => refused(429));
  captureException(newError());
  await sent();
  const message = vi.fn<() => string>(() => 'unread');
  captureException(Object.defineProperty(newError(), 'message', { get: message }));
  await sent();
  expect(beforeSend).toHaveBeenCalledOnce();
  expect(message).not.toHaveBeenCalled();
});

test('a 401 stops it too, with a word about the key', async () => {
  const { captureException } = await openPage();
  serve(() => refused(401));
  captureException(newError());
  await sent();
  captureException(newError());
  expect(await sent()).toHaveLength(1);
  expect(warnings()).toEqual([keyWarning]);
});

describe('a server that cannot be reached', () => {
  beforeEach(stopTheClock);

  test.each([
    ['refuses the origin', () => refused(403)],
    ['is blocked by CORS', () => Response.error()],
  ])('because it %s is tried three times, then left alone for a minute', async (_, answer) => {
    const { captureException } = await openPage();
    serve(answer);
    for (let count = 0; count < 8; count++) {
      captureException(newError());
      await pass(5_000);
    }
    expect(reports).toHaveLength(3);
    expect(warnings()).toEqual([reachWarning]);

    serve(() => accepted());
    await pass(60_000);
    captureException(newError());
    await pass(10);
    expect(reports).toHaveLength(4);
  });

  test('is forgiven once it answers', async () => {
    const { captureException } = await openPage();
    serve((attempt) => (attempt % 3 === 0 ? accepted() : refused(403)));
    for (let count = 0; count < 7; count++) {
      captureException(newError());
      await pass(5_000);
    }
    expect(reports).toHaveLength(7);
  });
});

describe('a server in trouble', () => {
  beforeEach(stopTheClock);

  test('is tried twice more with the same event_id', async () => {
    const { captureException, flush } = await openPage();
    serve(() => refused(500));
    captureException(newError());
    const flushed = flush(600_000);
    await pass(60_000);
    expect(reports).toHaveLength(3);
    expect(new Set(reports.map((report) => report.event_id)).size).toBe(1);
    await expect(flushed).resolves.toBe(true);
    expect(warnings()).toEqual([]);
  });

  test('is not tried again for a project that was closed meanwhile', async () => {
    const { captureException, close, init } = await openPage();
    serve(() => refused(500));
    captureException(newError());
    await pass(500);
    expect(reports).toHaveLength(1);
    close();
    init({ ...options, apiKey: 'pk_other' });
    await pass(60_000);
    expect(reports).toHaveLength(1);
    expect(warnings()).toEqual([]);
  });

  test('is not tried again before Retry-After', async () => {
    const { captureException } = await openPage();
    serve((attempt) => (attempt === 1 ? refused(503, { 'Retry-After': '20' }) : accepted()));
    captureException(newError());
    await pass(19_900);
    expect(reports).toHaveLength(1);
    await pass(200);
    expect(reports).toHaveLength(2);
    await pass(60_000);
    expect(reports).toHaveLength(2);
  });

  test('is given ten seconds to answer', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => AbortSignal.abort());
    const { captureException } = await openPage();
    captureException(newError());
    await pass(10);
    expect(timeout).toHaveBeenCalledWith(10_000);
    timeout.mockRestore();
    await pass(2_000);
    expect(reports).toHaveLength(1);
  });
});

describe('offline', () => {
  test('is not taken for a server that refuses', async () => {
    stopTheClock();
    const { captureException } = await openPage();
    serve(() => {
      goOnline(false);
      return Response.error();
    });
    captureException(newError());
    await pass(500);
    serve(() => accepted());
    goOnline(true);
    await pass(1_000);
    expect(reports).toHaveLength(2);
    expect(warnings()).toEqual([]);
  });
});

describe('the built-in limit', () => {
  beforeEach(stopTheClock);

  test('lets ten errors through at once and one more each second, and the console says so once', async () => {
    const { captureException } = await openPage();
    for (let count = 0; count < 30; count++) captureException(newError());
    await pass(10);
    expect(reports).toHaveLength(10);
    await pass(2_000);
    for (let count = 0; count < 30; count++) captureException(newError());
    await pass(10);
    expect(reports).toHaveLength(12);
    expect(warnings()).toEqual(['W6: Too many errors']);
  });

  test('sends the same error once in five seconds', async () => {
    const { captureException } = await openPage();
    const fail = () => captureException(Object.assign(new Error('same'), { stack: 'f@https://shop.test/app.js:1:2' }));
    for (let count = 0; count < 1_000; count++) fail();
    await pass(4_900);
    fail();
    await pass(200);
    expect(reports).toHaveLength(1);
    fail();
    await pass(10);
    expect(reports).toHaveLength(2);
  });

  test('tells errors of one text by the place they come from', async () => {
    const { captureException } = await openPage();
    captureException(new Error('same'));
    captureException(new Error('same'));
    await pass(10);
    expect(reports).toHaveLength(2);
  });

  test('tells other values by their identity', async () => {
    const { captureException } = await openPage();
    const odd = {};
    captureException(odd);
    captureException(odd);
    captureException({});
    captureException('text');
    captureException('text');
    await pass(10);
    expect(reports.map(({ message }) => message)).toEqual(['{}', '{}', 'text']);
  });
});

describe('large reports', () => {
  test('stay below 64 KiB, whatever the breadcrumbs say', async () => {
    const { captureException, addBreadcrumb } = await openPage();
    for (let count = 0; count < 64; count++) {
      if (count % 2) addBreadcrumb({ message: `${count} ${'ü'.repeat(900)}` });
      else console.log(`${count} ${'ü'.repeat(900)}`, { text: 'ü'.repeat(900) });
    }
    captureException(newError(), { metadata: { text: 'ü'.repeat(5_000) } });
    const all = await theReport();
    expect(new Blob([JSON.stringify(all)]).size).toBeLessThanOrEqual(65_536);
    // The oldest gave way.
    expect(all.breadcrumbs?.length).toBeGreaterThan(10);
    expect(all.breadcrumbs?.at(-1)?.data.message).toMatch(/^63 /);
  });

  test('keep what went wrong, whatever metadata take', async () => {
    const { captureException, setMetadata } = await openPage();
    setMetadata(Object.fromEntries(Array.from({ length: 70 }, (_, key) => [`k${key}`, 'x'.repeat(1_000)])));
    const error = newError();
    captureException(error);
    const report = await theReport();
    expect(report).toMatchObject({ message: error.message, event_id: expect.any(String) });
    expect(report.stacktrace).toContain(error.message);
  });

  test('keep all they say but for the one text that is huge', async () => {
    const { captureException } = await openPage({ environment: 'production', release: '1.2.0' });
    await fetch(`https://shop.test/${'x'.repeat(70_000)}`);
    captureException(newError());
    const report = await theReport();
    expect(report).toMatchObject({ environment: 'production', release: '1.2.0', sdk: { name: '@service/browser' } });
    expect(report.breadcrumbs?.at(-1)?.data).toMatchObject({ url: expect.stringMatching(/^https:.*…$/), status: 203 });
    expect(JSON.stringify(report).length).toBeLessThan(30_000);
  });

  test('arrive, whatever keepalive allows', async () => {
    const keepalive: boolean[] = [];
    const network = vi.fn<(url: string, init: RequestInit) => Promise<Response>>(async (_, init) => {
      keepalive.push(init.keepalive === true);
      await new Promise((resolve) => setTimeout(resolve, 20));
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
    expect(keepalive).toEqual(inFlight.map((size) => (bytes += size + 4_000) < 60_000));
  });
});

describe('beforeSend', () => {
  test('changes a report or drops it', async () => {
    const { captureException } = await openPage({
      beforeSend: (report) => (report.message === 'drop me' ? null : { ...report, release: 'changed' }),
    });
    captureException(new Error('drop me'));
    captureException(new Error('keep me'));
    expect(await theReport()).toMatchObject({ message: 'keep me', release: 'changed', project_api_key: 'pk_test' });
  });

  test.each<[string, (report: Report) => unknown]>([
    ['throws', (report) => JSON.parse((report.message = '{'))],
    ['returns nothing', (report) => void (report.message = 'lost')],
    ['returns a promise', async (report) => report],
    ['returns a text', () => 'text'],
  ])('that %s leaves the report as it was', async (_, beforeSend) => {
    const { captureException } = await openPage({ beforeSend: beforeSend as never });
    captureException(new Error('unchanged'));
    expect(await theReport()).toMatchObject({ message: 'unchanged' });
  });

  test('that captures an error itself does not go round in circles', async () => {
    const { captureException } = await openPage({
      beforeSend(report) {
        captureException(newError());
        return report;
      },
    });
    captureException(new Error('once'));
    await sent();
    expect(await theReport()).toMatchObject({ message: 'once' });
  });
});

test('a browser that cannot time a request out sends it all the same', async () => {
  vi.stubGlobal('AbortSignal', {});
  const { captureException } = await openPage();
  captureException(newError());
  expect(await sent()).toHaveLength(1);
  expect(warnings()).toEqual([]);
});

describe('a transport of the page', () => {
  test('may answer with plain headers', async () => {
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

  test('takes the place of the network', async () => {
    const transport = vi.fn<Transport>(async () => ({ status: 200 }));
    const { captureException } = await openPage({ transport });
    captureException(new Error('elsewhere'));
    expect(await sent()).toEqual([]);
    expect(transport).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ message: 'elsewhere' }));
  });

  test('is silent after its 429 as well', async () => {
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
    ['answers nothing', () => undefined],
  ])('that %s harms nobody', async (_, transport) => {
    stopTheClock();
    const { captureException } = await openPage({ transport: transport as never });
    captureException(newError());
    await pass(60_000);
    captureException(newError());
    await pass(60_000);
    expect(warnings()).toEqual([reachWarning]);
  });

  test('that answers in vain harms nobody', async () => {
    stopTheClock();
    const answer = { status: 'yes', headers: { get: () => JSON.parse('{') } };
    const { captureException } = await openPage({ transport: (async () => answer) as never });
    captureException(newError());
    await pass(60_000);
    expect(warnings()).toEqual([]);
  });

  test('that is none is named, and the network takes its place', async () => {
    const { captureException } = await openPage({ transport: 'https://errors.test' as never });
    captureException(newError());
    expect(await sent()).toHaveLength(1);
    expect(warnings()).toEqual(['W4: Check transport']);
  });
});

describe('flush', () => {
  test('waits for the answers', async () => {
    const { captureException, flush } = await openPage();
    serve(async () => {
      await new Promise((resolve) => setTimeout(resolve, 30));
      return accepted();
    });
    captureException(newError());
    await expect(flush()).resolves.toBe(true);
    expect(reports).toHaveLength(1);
  });

  test('gives up when they take too long', async () => {
    const { captureException, flush } = await openPage();
    serve(async () => {
      await new Promise((resolve) => setTimeout(resolve, 60));
      return accepted();
    });
    captureException(newError());
    await expect(flush(10)).resolves.toBe(false);
    await sent();
  });

  test('has nothing to wait for before init', async () => {
    const { flush } = await loadPage();
    await expect(flush()).resolves.toBe(true);
  });
});

test('what was captured is sent when the page is left, without waiting for its turn', async () => {
  const { captureException } = await openPage();
  stopTheClock();
  captureException(newError());
  window.dispatchEvent(new Event('pagehide'));
  vi.useRealTimers();
  await vi.waitFor(() => expect(reports).toHaveLength(1));
});
