/** @jest-environment jest-fixed-jsdom */
const { captureException, init } = require('@service/browser');
const { mockService } = require('@service/mocks/jest');

const service = mockService();

test('a missing total is reported', async () => {
  init({ apiKey: service.apiKey, endpoint: service.endpoint });
  captureException(new Error('total is missing'));
  await expect(service).toHaveReported(/total/);
});

test('a used up quota ends with its test', async () => {
  const warn = jest.spyOn(console, 'warn').mockImplementation(() => {});
  init({ apiKey: service.apiKey, endpoint: service.endpoint });
  service.quotaExhausted();
  captureException(new Error('total is missing'));
  await expect(service).not.toHaveReported();
  expect(service.rejected).toEqual([expect.objectContaining({ status: 429 })]);
  warn.mockRestore();
});

test('each test begins with a new SDK and an empty service', async () => {
  init({ apiKey: service.apiKey, endpoint: service.endpoint });
  captureException(new Error('total is missing'));
  await expect(service).toHaveReportedOnce(/total/);
  expect(service.reports).toEqual([expect.objectContaining({ is_new_group: true })]);
});
