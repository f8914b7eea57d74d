// The tests of an app, which `unexpected.test.ts` runs. The first one fails on purpose.
import { captureMessage, init } from '@service/browser';
import { mockService } from '@service/mocks/vitest';
import { beforeEach, expect, test } from 'vitest';

const service = mockService();

beforeEach(() => init({ apiKey: service.apiKey, endpoint: service.endpoint }));

test('does not expect a report', () => {
  expect(captureMessage('The cart is empty')).toBeTypeOf('string');
});

test('allows reports', () => {
  service.allowReports();
  expect(captureMessage('The cart is empty')).toBeTypeOf('string');
});

test('reads the reports', async () => {
  captureMessage('The cart is empty');
  await expect.poll(() => service.reports.length).toBe(1);
});

test('reports nothing', () => {
  expect(service.rejected).toEqual([]);
});
