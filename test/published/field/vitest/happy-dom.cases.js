// @vitest-environment happy-dom
import { captureException, flush, init } from '@service/browser';
import { resetServiceSDK } from '@service/browser/testing';
import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { report } from 'third-party';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';

const endpoint = 'https://errors.test';
const reports = [];
const server = setupServer(
  http.post(`${endpoint}/api/v1/errors`, async ({ request }) => {
    reports.push(await request.json());
    return HttpResponse.json({ success: true });
  }),
  http.get('https://shop.test/figs', () => HttpResponse.json({ figs: 3 })),
);

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => server.close());

const warnings = vi.spyOn(console, 'warn').mockImplementation(() => {});
beforeEach(() => init({ apiKey: 'pk_field', endpoint }));
afterEach(async () => {
  await resetServiceSDK();
  reports.length = 0;
  expect(warnings.mock.calls).toEqual([]);
});

// The twelfth test must behave like the first: no limit and no repeat of an earlier test applies.
test.each(Array.from({ length: 12 }, (_, index) => index))('reports one error, run %d', async () => {
  expect(captureException(new Error('Sold out'))).toMatch(/^[\da-f-]{36}$/);
  expect(await flush()).toBe(true);
  expect(reports.map(({ message }) => message)).toEqual(['Sold out']);
});

test('records the breadcrumb of a fetch request', async () => {
  const response = await fetch('https://shop.test/figs');
  expect(await response.json()).toEqual({ figs: 3 });
  captureException(new Error('No figs'));
  await flush();
  expect(reports[0].breadcrumbs).toEqual([
    expect.objectContaining({
      category: 'fetch',
      data: { method: 'GET', url: 'https://shop.test/figs', status: 200, duration: expect.any(Number) },
    }),
  ]);
});

test('reports an error event of the window once', async () => {
  const error = new Error('Event');
  window.dispatchEvent(new ErrorEvent('error', { error, message: error.message }));
  await flush();
  expect(reports.map(({ message }) => message)).toEqual(['Event']);
});

test('a 429 stops one test only', async () => {
  server.use(http.post(`${endpoint}/api/v1/errors`, () => new HttpResponse(null, { status: 429 }), { once: true }));
  captureException(new Error('Over the quota'));
  await flush();
  expect(captureException(new Error('Not sent'))).toBe(undefined);
  expect(warnings.mock.calls.map(([line]) => line)).toEqual([expect.stringContaining('[W9]')]);
  warnings.mockClear();
});

test('a package that imports the SDK shares the client', async () => {
  report('Third party');
  await flush();
  expect(reports.map(({ message }) => message)).toEqual(['Third party']);
});
