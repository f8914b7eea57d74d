// @vitest-environment happy-dom
import { captureException, init } from '@service/browser';
import { mockService } from '@service/mocks/vitest';
import { expect, test } from 'vitest';

const service = mockService();

test('a missing total is reported', async () => {
  init({ apiKey: service.apiKey, endpoint: service.endpoint });
  captureException(new Error('total is missing'));
  await expect(service).toHaveReported(/total/);
});

test('each test begins with a new SDK and an empty service', async () => {
  init({ apiKey: service.apiKey, endpoint: service.endpoint });
  captureException(new Error('total is missing'));
  await expect(service).toHaveReportedOnce(/total/);
});
