import { describe, expect, test, vi } from 'vitest';
import type { Breadcrumb } from '../src/index.ts';
import { openPage, sent, captureBreadcrumbs, onlyReport, warnings } from './page.ts';

/** Returns the data of all breadcrumbs of one type and category. */
async function dataOf(type: string, category: string) {
  const breadcrumbs = await captureBreadcrumbs();
  return breadcrumbs
    .filter((breadcrumb) => breadcrumb.type === type && breadcrumb.category === category)
    .map(({ data }) => data);
}

test('sends a breadcrumb with a timestamp, a type, a category and data', async () => {
  await openPage();
  console.log('hello');
  expect(await captureBreadcrumbs()).toEqual([
    {
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      type: 'console',
      category: 'console',
      data: { level: 'log', arguments: ['hello'] },
    },
  ]);
});

test('keeps the newest 64 breadcrumbs, or maxBreadcrumbs', async () => {
  await openPage();
  for (let count = 1; count <= 100; count++) console.log(`line ${count}`);
  const data = await dataOf('console', 'console');
  expect(data).toHaveLength(64);
  expect(data.at(-1)).toEqual({ level: 'log', arguments: ['line 100'] });

  await openPage({ maxBreadcrumbs: 2 });
  for (let count = 1; count <= 5; count++) console.log(`line ${count}`);
  expect(await captureBreadcrumbs()).toHaveLength(2);
});

test('leaves breadcrumbs that follow the error out of the report', async () => {
  const { captureException } = await openPage();
  console.log('before');
  captureException(new Error('x'));
  console.log('after');
  expect((await onlyReport()).breadcrumbs).toHaveLength(1);
});

describe('the console instrument', () => {
  test('passes console calls on and records their level and arguments', async () => {
    const { log } = console;
    await openPage();
    console.debug('a');
    console.info('b', 1, null, undefined, true);
    console.log();
    console.warn('c', { deep: { list: [1] } });
    console.error(new RangeError('d'));
    expect(await dataOf('console', 'console')).toEqual([
      { level: 'debug', arguments: ['a'] },
      { level: 'info', arguments: ['b', 1, null, 'undefined', 'true'] },
      { level: 'log', arguments: [] },
      { level: 'warn', arguments: ['c', { deep: { list: [1] } }] },
      { level: 'error', arguments: ['RangeError: d'] },
    ]);
    expect(log).toHaveBeenCalledExactlyOnceWith();
  });

  test('copies console arguments at the time of the call', async () => {
    await openPage();
    const cart = { items: 1 };
    console.log(cart);
    cart.items = 2;
    expect(await dataOf('console', 'console')).toEqual([{ level: 'log', arguments: [{ items: 1 }] }]);
  });

  test('accepts console arguments of any kind', async () => {
    await openPage();
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    console.log(proxy, circle, Symbol('s'), 1n, Object.create(null), new Map(), 'x'.repeat(10_000));
    const [data] = await dataOf('console', 'console');
    const { arguments: args } = data as { arguments: unknown[] };
    expect([args[0], args[2], args[3], args[4], args[5]]).toEqual(['…', 'Symbol(s)', '1', {}, '[object Map]']);
    expect(String(args[6]).length).toBeLessThan(600);
  });

  test('ignores console lines of the SDK', async () => {
    const { init } = await openPage();
    init({ apiKey: 'pk_test', endpoint: 'https://errors.test' });
    expect(await captureBreadcrumbs()).toEqual([]);
  });
});

describe('the fetch instrument', () => {
  test('records method, URL, status and duration of fetch requests', async () => {
    await openPage();
    await fetch('https://shop.test/cart', { method: 'DELETE' }).catch(() => undefined);
    await fetch('https://shop.test/cart');
    await fetch(new URL('https://shop.test/list?page=2'));
    await fetch(new Request('https://shop.test/list', { method: 'GET' }));
    const data = await dataOf('http', 'fetch');
    expect(data).toEqual([
      { method: 'DELETE', url: 'https://shop.test/cart', status: 0, duration: expect.any(Number) },
      { method: 'GET', url: 'https://shop.test/cart', status: 203, duration: expect.any(Number) },
      { method: 'GET', url: 'https://shop.test/list?page=2', status: 203, duration: expect.any(Number) },
      { method: 'GET', url: 'https://shop.test/list', status: 203, duration: expect.any(Number) },
    ]);
  });

  test('returns the original response or rejection of fetch to the page', async () => {
    const response = new Response('ok');
    const reason = new TypeError('Failed to fetch');
    const network = vi.fn<typeof fetch>().mockResolvedValueOnce(response).mockRejectedValueOnce(reason);
    vi.stubGlobal('fetch', network);
    await openPage({ transport: async () => ({ status: 200 }) });
    await expect(window.fetch('/a', { method: 'POST' })).resolves.toBe(response);
    await expect(window.fetch('/b')).rejects.toBe(reason);
    expect(network.mock.calls).toEqual([['/a', { method: 'POST' }], ['/b']]);
  });

  test('ignores fetch requests of the SDK', async () => {
    const { captureException } = await openPage();
    captureException(new Error('first'));
    await sent();
    captureException(new Error('second'));
    expect((await sent())[1]).not.toHaveProperty('breadcrumbs');
  });
});

describe('the history instrument', () => {
  test('records each navigation once, with its origin and target', async () => {
    await openPage();
    const start = location.href;
    history.pushState({}, '', '/cart');
    history.replaceState({}, '', '/cart');
    history.replaceState({}, '', '/cart?step=2');
    location.hash = '#pay';
    window.dispatchEvent(new Event('popstate'));
    window.dispatchEvent(new Event('hashchange'));
    const base = location.origin;
    expect(await dataOf('navigation', 'history')).toEqual([
      { from: start, to: `${base}/cart` },
      { from: `${base}/cart`, to: `${base}/cart?step=2` },
      { from: `${base}/cart?step=2`, to: `${base}/cart?step=2#pay` },
    ]);
  });
});

describe('the click instrument', () => {
  test.each([
    ['<button id="save" class="btn primary wide">Pay 12 €</button>', 'button#save.btn.primary'],
    ['<button data-card="4111" aria-label="Ada">x</button>', 'button'],
    ['<input value="secret">', 'input'],
    ['<form id="pay"><input name="localName"><input name="id"><input name="classList"></form>', 'form#pay'],
    ['<svg class="icon"></svg>', 'html > body > svg.icon'],
    ['<button class="\n  btn\n  primary\n">Pay</button>', 'button.btn.primary'],
  ])('records a click on %s as %s', async (html, selector) => {
    await openPage();
    document.body.innerHTML = html;
    document.body.firstElementChild?.dispatchEvent(new Event('click', { bubbles: true }));
    expect(await dataOf('ui', 'click')).toEqual([{ selector }]);
  });

  test('records a click that the page stops', async () => {
    await openPage();
    document.body.addEventListener('click', (event) => event.stopImmediatePropagation(), { once: true });
    document.body.click();
    expect(await dataOf('ui', 'click')).toHaveLength(1);
  });
});

describe('addBreadcrumb', () => {
  test('fills in missing fields of a breadcrumb', async () => {
    const { addBreadcrumb } = await openPage();
    addBreadcrumb({ message: 'paid' });
    addBreadcrumb({ type: 'state', category: 'cart', data: { items: 2 } });
    expect((await captureBreadcrumbs()).map(({ type, category, data }) => ({ type, category, data }))).toEqual([
      { type: 'custom', category: 'custom', data: { message: 'paid' } },
      { type: 'state', category: 'cart', data: { items: 2 } },
    ]);
  });

  test('copies the data of a breadcrumb at the call', async () => {
    const { addBreadcrumb } = await openPage();
    const data = { items: 1 };
    addBreadcrumb({ data });
    data.items = 2;
    expect((await captureBreadcrumbs())[0]?.data).toEqual({ items: 1 });
  });

  test('addBreadcrumb never throws', async () => {
    const { addBreadcrumb } = await openPage();
    for (const odd of [undefined, null, 7, 'text', { data: 5 }, { type: 1, data: 'x' }]) addBreadcrumb(odd as never);
    for (const breadcrumb of await captureBreadcrumbs()) {
      expect(breadcrumb).toEqual({
        timestamp: expect.any(String),
        type: expect.any(String),
        category: expect.any(String),
        data: expect.any(Object),
      });
    }
  });
});

test.each<[string, (breadcrumb: Breadcrumb) => unknown, object[], string[]]>([
  ['returns null', () => null, [], []],
  ['returns another', (breadcrumb) => ({ ...breadcrumb, data: { n: 1 }, more: 1 }), [{ n: 1 }], []],
  ['returns nothing', ({ data }) => void (data.message = 'changed'), [{ message: 'changed' }], ['W11']],
  ['returns a promise of null', async () => null, [], ['W11']],
  ['returns a number', () => 7, [], ['W11']],
  ['throws', () => JSON.parse('{'), [], ['W5']],
  ['returns what cannot be read', () => new Proxy({}, { get: () => JSON.parse('{') }), [], ['W5']],
])('drops or changes a breadcrumb if beforeBreadcrumb %s', async (_, beforeBreadcrumb, data, warned) => {
  const { addBreadcrumb } = await openPage({ beforeBreadcrumb: beforeBreadcrumb as never });
  addBreadcrumb({ message: 'original' });
  expect((await captureBreadcrumbs()).map((breadcrumb) => breadcrumb.data)).toEqual(data);
  expect(warnings()).toEqual(warned);
});

test('records an XMLHttpRequest whose response msw mocks', async () => {
  await openPage();
  const request = new XMLHttpRequest();
  request.open('GET', 'https://shop.test/cart?token=hush');
  request.send();
  await new Promise((resolve) => request.addEventListener('loadend', resolve));
  expect(await dataOf('http', 'xhr')).toEqual([
    { method: 'GET', url: 'https://shop.test/cart?token=[scrubbed]', status: 203, duration: expect.any(Number) },
  ]);
});

test.each(['onload', 'onloadend'] as const)('records a mocked XMLHttpRequest whose page sets %s', async (handler) => {
  await openPage();
  const request = new XMLHttpRequest();
  request.open('GET', 'https://shop.test/cart');
  await new Promise((resolve) => {
    request[handler] = resolve;
    request.send();
  });
  // `loadend` follows `load` in the same task.
  await Promise.resolve();
  expect(await dataOf('http', 'xhr')).toEqual([
    { method: 'GET', url: 'https://shop.test/cart', status: 203, duration: expect.any(Number) },
  ]);
});

test('does not list all members of a long list', async () => {
  const { addBreadcrumb } = await openPage();
  const list = new Proxy(
    Array.from({ length: 1_000 }, () => 'member'),
    { ownKeys: () => JSON.parse('{') },
  );
  addBreadcrumb({ data: { list } });
  const [breadcrumb] = await captureBreadcrumbs();
  expect(breadcrumb?.data.list).toContain('member');
});

test('records each request of an XMLHttpRequest that is opened again', async () => {
  await openPage();
  const request = new XMLHttpRequest();
  request.open('POST', 'https://shop.test/first');
  request.open('GET', 'https://shop.test/cart');
  request.send();
  await new Promise((resolve) => request.addEventListener('loadend', resolve));
  expect(await dataOf('http', 'xhr')).toEqual([
    { method: 'POST', url: 'https://shop.test/first', status: 0, duration: expect.any(Number) },
    { method: 'GET', url: 'https://shop.test/cart', status: 203, duration: expect.any(Number) },
  ]);
});
