import { beforeEach, expect, test, vi } from 'vitest';
import { accepted, loadPage, openPage, options, reports, serve, warnings } from './page.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }));

const advance = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

/** Simulates losing the network, or getting it back. */
function setOnline(isOnline: boolean): void {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline);
  serve(() => (isOnline ? accepted() : Response.error()));
  window.dispatchEvent(new Event(isOnline ? 'online' : 'offline'));
}

test('keeps twenty reports while offline and sends each once when online', async () => {
  const { captureException } = await openPage();
  setOnline(false);
  for (let count = 1; count <= 25; count++) {
    captureException(new Error(`error ${count}`));
    await advance(1_100);
  }
  const tried = reports.length;
  setOnline(true);
  await advance(30_000);
  const kept = reports.slice(tried).map(({ message }) => message);
  expect(kept).toEqual(Array.from({ length: 20 }, (_, index) => `error ${index + 1}`));
  expect(warnings()).toEqual([]);
});

test('keeps the time and the event_id of a report that waited offline', async () => {
  const { captureException } = await openPage();
  setOnline(false);
  const before = Date.now();
  captureException(new Error('kept'));
  await advance(60_000);
  setOnline(true);
  await advance(5_000);
  const [first, last] = [reports[0], reports.at(-1)];
  expect(reports.length).toBeGreaterThan(1);
  expect(Date.parse(last?.timestamp ?? '')).toBeLessThan(before + 1_000);
  expect(last?.event_id).toBe(first?.event_id);
});

test('retries if the first request after coming online fails', async () => {
  const { captureException } = await openPage();
  setOnline(false);
  captureException(new Error('kept'));
  await advance(1_000);
  setOnline(true);
  serve((attempt) => (attempt === 1 ? Response.error() : accepted()));
  await advance(10_000);
  // The first request fails offline, the second fails again, the third succeeds.
  expect(reports).toHaveLength(3);
});

test('loses no report when the network fails for a moment', async () => {
  const { captureException } = await openPage();
  serve((attempt) => (attempt <= 4 ? Response.error() : accepted()));
  for (const name of ['a', 'b', 'c', 'd']) captureException(new Error(name));
  await advance(5_000);
  expect(
    reports
      .slice(4)
      .map(({ message }) => message)
      .toSorted(),
  ).toEqual(['a', 'b', 'c', 'd']);
});

test('offlineStorage leaves the reports that wait at close() to the next page', async () => {
  localStorage.clear();
  const { captureException, close, init, offlineStorage } = await loadPage();
  init({ ...options, integrations: [offlineStorage()] });
  setOnline(false);
  captureException(new Error('waits'));
  await advance(100);
  captureException(new Error('captured last'));
  const closed = close(50);
  await advance(100);
  expect(await closed).toBe(false);
  setOnline(true);
  await advance(5_000);
  const before = reports.length;
  init({ ...options, integrations: [offlineStorage()] });
  await advance(5_000);
  const messages = reports.slice(before).map(({ message }) => message);
  expect(messages.toSorted()).toEqual(['captured last', 'waits']);
  expect(localStorage).toHaveLength(0);
});

test('offlineStorage sends stored reports with its own key only, and drops damaged ones', async () => {
  localStorage.clear();
  const stored = { a: '{"message":"kept","project_api_key":"other"}', b: '{"message":5}', c: 'null', d: '{' };
  for (const [id, text] of Object.entries(stored)) localStorage.setItem(`__serviceSDK pk_test ${id}`, text);
  const { init, offlineStorage } = await loadPage();
  init({ ...options, integrations: [offlineStorage()] });
  await advance(100);
  expect(reports).toEqual([{ message: 'kept', project_api_key: 'pk_test' }]);
  expect(localStorage).toHaveLength(0);
});

test('offlineStorage keeps all of thirty stored reports if the next page is offline too', async () => {
  localStorage.clear();
  for (let count = 1; count <= 30; count++) {
    localStorage.setItem(`__serviceSDK pk_test ${count}`, JSON.stringify({ message: 'stored', event_id: `${count}` }));
  }
  const { init, offlineStorage } = await loadPage();
  setOnline(false);
  init({ ...options, integrations: [offlineStorage()] });
  await advance(10_000);
  expect(localStorage).toHaveLength(30);
  setOnline(true);
  await advance(10_000);
  expect(localStorage).toHaveLength(10);
});
