import { captureException, flush, init } from '@service/browser';
import { mockService } from '@service/mocks/vitest-browser';
import { expect, test, vi } from 'vitest';

const service = mockService();

test('a missing total is reported', async () => {
  init({ apiKey: service.apiKey, endpoint: service.endpoint });
  captureException(new Error('total is missing'));
  await expect(service).toHaveReported(/total/);
  await expect(service).toHaveGroups(1);
});

test('the page works when the quota is used up', async () => {
  expect(service.reports).toEqual([]);
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  init({ apiKey: service.apiKey, endpoint: service.endpoint });
  service.quotaExhausted();
  captureException(new Error('total is missing'));
  await flush();
  expect(service.rejected).toMatchObject([{ status: 429 }]);
  expect(warn).toHaveBeenCalledOnce();
});

test.fails('an unexpected report fails a test', () => {
  init({ apiKey: service.apiKey, endpoint: service.endpoint });
  captureException(new Error('unexpected'));
  expect(service.rejected).toEqual([]);
});
