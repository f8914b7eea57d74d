// @vitest-environment happy-dom
import { gzipSync } from 'node:zlib';
import { addBreadcrumb, captureException, captureMessage, flush, init, setTag, setUser } from '@service/browser';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { mockService } from '@service/mocks/vitest';

const service = mockService();

function start(): void {
  init({ apiKey: service.apiKey, endpoint: service.endpoint, release: 'shop@1.2.3' });
}

/** Sends a report as an app without the SDK does. */
async function post(report: Record<string, unknown> | Uint8Array<ArrayBuffer>, headers = {}): Promise<void> {
  const response = await fetch(`${service.endpoint}/api/v1/errors`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: report instanceof Uint8Array ? report : JSON.stringify({ project_api_key: service.apiKey, ...report }),
  });
  expect(response.status).toBe(200);
}

describe('a mocked service', () => {
  test('receives what the app reports', async () => {
    start();
    setUser({ id: '7' });
    setTag('shop', 'north');
    captureException(new TypeError('total is missing'));
    await expect(service).toHaveReported(/total/);
    await expect(service).toHaveReported('TypeError: total');
    await expect(service).toHaveReported({ type: 'TypeError', user: { id: '7' }, tags: { shop: /^n/ } });
    await expect(service).toHaveReportedOnce({ release: 'shop@1.2.3' });
    await expect(service).not.toHaveReported('RangeError');
    expect(service.reports).toEqual([expect.objectContaining({ is_new_group: true })]);
  });

  test('has the level of an error, which the SDK leaves out', async () => {
    start();
    captureException(new TypeError('total is missing'));
    captureMessage('The cart is empty');
    await expect(service).toHaveReported({ type: 'TypeError', level: 'error' });
    await expect(service).toHaveReported({ message: /cart/, level: 'info' });
  });

  test('a matcher fails after a second, also with fake timers', async () => {
    vi.useFakeTimers();
    try {
      await expect(expect(service).toHaveReported('nothing')).rejects.toThrow('Nothing was reported.');
    } finally {
      vi.useRealTimers();
    }
  });

  test('forgets the reports of earlier tests', async () => {
    expect(service.reports).toEqual([]);
    await expect(service).toHaveGroups(0);
  });

  test('groups reports as the server does', async () => {
    start();
    for (const id of [17, 23]) captureMessage(`Order ${id} is lost`);
    captureMessage('The cart is empty');
    await expect(service).toHaveGroups(2);
    expect((await service.groups()).map(({ count }) => count).toSorted()).toEqual([1, 2]);
  });

  test('counts a report once if the SDK sends it again', async () => {
    const event_id = crypto.randomUUID();
    for (const id of [event_id, event_id.toUpperCase()]) await post({ event_id: id, message: 'sent twice' });
    await expect(service).toHaveReportedOnce('sent twice');
  });

  test('counts reports twice if their event_id is no UUID, as the server does', async () => {
    for (const message of ['first', 'second']) await post({ event_id: 'request-7', message });
    await expect(service).toHaveReportedOnce('first');
    await expect(service).toHaveReportedOnce('second');
  });

  test('reads a compressed report', async () => {
    const body = gzipSync(
      JSON.stringify({ project_api_key: service.apiKey, type: 'RangeError', message: 'compressed' }),
    );
    await post(body, { 'Content-Encoding': 'gzip' });
    await expect(service).toHaveReportedOnce({ type: 'RangeError', message: 'compressed' });
  });

  test('has the message of the stack if a report has none', async () => {
    const stacktrace = 'RangeError: too many items\n    at checkout (https://shop.example/cart.js:12:9)';
    await post({ type: 'RangeError', stacktrace });
    await expect(service).toHaveReported('RangeError: too many');
    await post({ message: ' ', stacktrace });
    await expect(service).toHaveReported(/too many items$/);
    expect(service.reports).toHaveLength(2);
  });

  test('shows the breadcrumbs of a report', async () => {
    start();
    addBreadcrumb({ category: 'cart', type: 'add', data: { sku: 'A-1' } });
    captureMessage('Sold out');
    await expect(service).toHaveBreadcrumb({ category: 'cart', data: { sku: /^A/ } });
    await expect(service).not.toHaveBreadcrumb({ category: 'payment' });
  });

  test('says what was reported instead', async () => {
    start();
    captureException(new RangeError('Too many items'));
    await expect(service).toHaveReported('Too many');
    await expect(expect(service).toHaveReported(/total/)).rejects.toThrow(
      /^Expected the service to have a report like \/total\/\.\nReported \(1\):\n {2}1\. RangeError: Too many items\n.*\n +group \d+ · shop@1\.2\.3$/,
    );
  });
});

describe('scenarios', () => {
  test.each([
    ['quotaExhausted', 429, /^error_quota_exhausted/],
    ['wrongKey', 401, /^invalid_api_key/],
  ] as const)('%s: the server rejects a report, and the SDK stops', async (scenario, status, reason) => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    start();
    service[scenario]();
    captureMessage('one');
    expect(await flush(20_000)).toBe(true);
    captureMessage('two');
    expect(await flush(20_000)).toBe(true);
    expect(service.rejected).toEqual([{ message: 'one', status, reason: expect.stringMatching(reason) }]);
    expect(warn).toHaveBeenCalledOnce();
    expect(service.reports).toEqual([]);
  });

  test('originNotAllowed: the server rejects the origin of the page', async () => {
    vi.spyOn(console, 'warn').mockReturnValue();
    start();
    service.originNotAllowed();
    captureMessage('one');
    await expect.poll(() => service.rejected[0]).toMatchObject({ status: 403 });
  });

  test('offline: a report arrives when the network is back', async () => {
    start();
    service.offline();
    expect(navigator.onLine).toBe(false);
    captureMessage('from the tunnel');
    await expect(service).not.toHaveReported();
    service.recover();
    expect(navigator.onLine).toBe(true);
    await expect(service).toHaveReportedOnce('from the tunnel');
  });

  test('serverDown: nothing arrives', async () => {
    vi.spyOn(console, 'warn').mockReturnValue();
    start();
    service.serverDown();
    captureMessage('one');
    await expect.poll(() => service.rejected[0]).toMatchObject({ message: 'one', status: 503 });
    // As in a browser, the page cannot read a response without CORS headers.
    await expect(fetch(`${service.endpoint}/api/v1/errors`, { method: 'POST', body: '{}' })).rejects.toThrow(TypeError);
  });

  test.each(['serverDown', 'originNotAllowed'] as const)('%s: a preflight lets the report follow', async (scenario) => {
    service[scenario]();
    const preflight = new Request(`${service.endpoint}/api/v1/errors`, { method: 'OPTIONS' });
    const response = await service.fetch(preflight);
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-allow-headers')).toBe('content-type');
  });

  test('slow: a response takes longer', async () => {
    start();
    service.slow(150);
    captureMessage('late');
    expect(await flush(50)).toBe(false);
    expect(await flush(20_000)).toBe(true);
    await expect(service).toHaveReported('late');
  });
});

afterEach(() => vi.restoreAllMocks());
