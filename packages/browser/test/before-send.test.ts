import { expect, test } from 'vitest';
import type { ErrorReport } from '../src/index.ts';
import { newError, openPage, sent, onlyReport, warnings } from './page.ts';

test('beforeSend changes or drops a report', async () => {
  const { captureException } = await openPage({
    beforeSend: (report) => (report.message === 'drop me' ? null : { ...report, release: 'changed' }),
  });
  captureException(new Error('drop me'));
  captureException(new Error('keep me'));
  expect(await onlyReport()).toMatchObject({ message: 'keep me', release: 'changed', project_api_key: 'pk_test' });
});

test.each<[string, (report: ErrorReport) => unknown]>([
  ['returns null', () => null],
  ['returns a promise of null', async () => null],
  ['returns a promise that rejects', async (report) => JSON.parse((report.message = '{'))],
  ['throws', (report) => JSON.parse((report.message = '{'))],
  ['returns a text', () => 'text'],
  ['returns false', () => false],
  ['returns an object without a message', () => ({ release: '1' })],
  ['returns an object that cannot be read', () => Proxy.revocable({}, {})],
])('drops the report if beforeSend %s', async (_, beforeSend) => {
  const { captureException } = await openPage({ beforeSend: beforeSend as never });
  captureException(new Error('private'));
  expect(await sent()).toEqual([]);
});

test.each<[string, string[], (report: ErrorReport) => unknown]>([
  ['returns null', [], () => null],
  ['throws', ['W5'], () => JSON.parse('{')],
  ['rejects', ['W5'], async () => JSON.parse('{')],
  ['returns a text', ['W11'], () => 'text'],
  ['returns nothing', ['W11'], () => undefined],
  ['resolves to nothing', ['W11'], async () => undefined],
])('warns at most once if beforeSend %s', async (_, expected, beforeSend) => {
  const { captureException } = await openPage({ beforeSend: beforeSend as never });
  for (let count = 0; count < 3; count++) captureException(newError());
  await sent();
  expect(warnings()).toEqual(expected);
});

test.each<[string, (report: ErrorReport) => unknown]>([
  ['returns nothing', (report) => void (report.message = 'changed')],
  ['resolves to nothing', async (report) => void (report.message = 'changed')],
  ['resolves to the report', async (report) => ({ ...report, message: 'changed' })],
])('sends the changed report if beforeSend %s', async (_, beforeSend) => {
  const { captureException } = await openPage({ beforeSend: beforeSend as never });
  captureException(new Error('original'));
  expect(await onlyReport()).toMatchObject({ message: 'changed' });
});

test('scrubs what beforeSend adds', async () => {
  const { captureException } = await openPage({
    beforeSend: (report) => ({ ...report, metadata: { password: 'hush-added' }, url: '/?token=hush-added' }),
  });
  captureException(newError());
  expect(JSON.stringify(await onlyReport())).not.toContain('hush');
});

test('drops errors that beforeSend itself captures', async () => {
  const { captureException } = await openPage({
    beforeSend(report) {
      captureException(newError());
      return report;
    },
  });
  captureException(new Error('once'));
  await sent();
  expect(await onlyReport()).toMatchObject({ message: 'once' });
});

test('what beforeSend removes from the message is removed from the stack, too', async () => {
  const { captureException } = await openPage({
    beforeSend(report) {
      report.message = report.message.replace(/\d{4,}/, '$&-free');
      return report;
    },
  });
  captureException(new Error('Paying with 4111111111111111 failed'));
  captureException('Paying with 4111111111111111 failed');
  const [error, text] = await sent();
  expect(error?.message).toBe('Paying with 4111111111111111-free failed');
  expect(error?.stacktrace).toMatch(/^Error: Paying with 4111111111111111-free failed\n/);
  expect(text?.stacktrace).toBeUndefined();
});

test('removes a changed message from the stack of each cause too', async () => {
  const { captureException } = await openPage({
    beforeSend: (report) => ({ ...report, message: report.message.replace(/\d+/, '…') }),
  });
  const cause = new Error('customer 42 is missing');
  captureException(new Error(cause.message, { cause }));
  expect((await onlyReport()).stacktrace).not.toContain('customer 42');
});

test('changes only the message in the stack, not the names of functions and files that contain it', async () => {
  const { captureException } = await openPage({ beforeSend: (report) => ({ ...report, message: 'basket' }) });
  const frames = '\n    at cart (https://shop.test/assets/cart-1.js:1:2)\n    at cart.add (https://shop.test/a.js:1:2)';
  const cause = Object.assign(new TypeError('cart'), { stack: `TypeError: cart${frames}` });
  captureException(Object.assign(new Error('cart', { cause }), { stack: `Error: cart${frames}` }));
  expect((await onlyReport()).stacktrace).toBe(`Error: basket${frames}\nCaused by: TypeError: basket${frames}`);
});

test('changes an empty message in the stack, not the names of functions and files', async () => {
  const { captureException } = await openPage({ beforeSend: (report) => ({ ...report, message: 'empty' }) });
  const frames = '\n    at new Error (https://shop.test/Error.js:1:2)';
  const cause = Object.assign(new TypeError('no cart'), { stack: `TypeError: no cart${frames}` });
  captureException(Object.assign(new Error('', { cause }), { stack: `Error${frames}` }));
  expect((await onlyReport()).stacktrace).toBe(`Error: empty${frames}\nCaused by: TypeError: no cart${frames}`);
});
