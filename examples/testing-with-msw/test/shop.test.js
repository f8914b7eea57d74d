import { mockService } from '@service/mocks/vitest';
import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { signIn, startReporting } from '../src/reporting.js';
import { productButton, Shop } from '../src/shop.js';

const network = setupServer(http.post('https://pay.shop.example/payments', () => HttpResponse.json({ id: 7 })));
const service = mockService({ server: network });

const respond = (status) =>
  network.use(http.post('https://pay.shop.example/payments', () => new HttpResponse(null, { status })));
let shop;

beforeAll(() => network.listen({ onUnhandledRequest: 'error' }));
afterEach(() => network.resetHandlers());
afterAll(() => network.close());

beforeEach(() => {
  startReporting({ apiKey: service.apiKey, endpoint: service.endpoint });
  shop = new Shop();
  document.body.replaceChildren();
});

test('a sale reports nothing', async () => {
  shop.add('tea');
  expect(await shop.checkout('4111111111111111')).toBe('Thank you!');
  await expect(service).not.toHaveReported();
});

test('a failed payment is reported once, and the customer gets an apology', async () => {
  respond(500);
  expect(await shop.checkout('4111111111111111')).toBe('Sorry, please try again.');
  await expect(service).toHaveReportedOnce(/Paying with .* failed: status 500/);
});

test('a declined card is no error', async () => {
  respond(402);
  expect(await shop.checkout('4111111111111111')).toBe('Your card was declined.');
  await expect(service).not.toHaveReported();
});

test('the number of a card is not sent', async () => {
  respond(500);
  await shop.checkout('4111111111111111');
  await expect(service).toHaveReported('Paying with [card] failed: status 500');
});

test('a report says in which step it happened', async () => {
  respond(500);
  await shop.checkout('4111111111111111');
  await expect(service).toHaveReported({ tags: { step: 'checkout' }, release: 'shop@1.0.0' });
});

test('a report names the customer by id only', async () => {
  signIn({ id: '42', email: 'ada@shop.example' });
  respond(500);
  await shop.checkout('4111111111111111');
  await expect(service).toHaveReported({ user: { id: '42' } });
  expect(JSON.stringify(service.reports)).not.toContain('ada@');
});

test('the request that failed is a breadcrumb', async () => {
  respond(503);
  await shop.checkout('4111111111111111');
  await expect(service).toHaveBreadcrumb({ category: 'fetch', data: { url: /\/payments$/, status: 503 } });
});

test('two customers with the same problem are one error', async () => {
  respond(500);
  await shop.checkout('4111111111111111');
  await shop.checkout('5500000000000004');
  await expect(service).toHaveGroups(1);
});

test('a payment that the customer cancels is not reported', async () => {
  const { captureException } = await import('@service/browser');
  captureException(new Error('Paying was cancelled by the customer'));
  await expect(service).not.toHaveReported();
});

test('the shop works without the error service', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  service.serverDown();
  respond(500);
  expect(await shop.checkout('4111111111111111')).toBe('Sorry, please try again.');
  service.recover();
  service.allowReports();
  expect(productButton(shop, 'cup').textContent).toBe('Add cup');
});
