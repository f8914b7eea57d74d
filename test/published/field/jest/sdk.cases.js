const { captureException, flush, init } = require('@service/browser');
const { resetServiceSDK } = require('@service/browser/testing');

const reports = [];
const transport = async (report) => {
  reports.push(report);
  return { status: 200 };
};
const warn = jest.spyOn(console, 'warn').mockImplementation(() => {});

afterEach(async () => {
  await resetServiceSDK();
  reports.length = 0;
});

test('this environment has neither fetch nor TextEncoder', () => {
  expect(typeof fetch).toBe('undefined');
  expect(typeof TextEncoder).toBe('undefined');
});

test('a transport receives each report once', async () => {
  init({ apiKey: 'pk_field', endpoint: 'https://errors.test', transport });
  expect(captureException(new Error('Sold out'))).toMatch(/^[\da-f-]{36}$/);
  window.onerror('Uncaught Error: No figs', 'https://shop.test/app.js', 1, 2, new Error('No figs'));
  expect(await flush()).toBe(true);
  expect(reports.map(({ message }) => message)).toEqual(['Sold out', 'No figs']);
  expect(reports[0].stacktrace).toContain('sdk.cases.js');
  expect(warn.mock.calls).toEqual([]);
});

test('without a transport, a missing fetch is a server that cannot be reached', async () => {
  init({ apiKey: 'pk_field', endpoint: 'https://errors.test' });
  captureException(new Error('Sold out'));
  await flush(50);
  expect(warn.mock.calls.map(([line]) => line)).toEqual([expect.stringMatching(/^\[ServiceSDK\] .*\[W10\]$/)]);
});
