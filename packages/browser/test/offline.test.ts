import { beforeEach, expect, test, vi } from 'vitest';
import { accepted, openPage, reports, serve, warnings } from './page.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }));

const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

/** Takes the network away, or gives it back. */
function setOnline(isOnline: boolean): void {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline);
  serve(() => (isOnline ? accepted() : Response.error()));
  window.dispatchEvent(new Event(isOnline ? 'online' : 'offline'));
}

test('twenty reports are kept while offline, and each is sent once when the network is back', async () => {
  const { captureException } = await openPage();
  setOnline(false);
  for (let count = 1; count <= 25; count++) {
    captureException(new Error(`error ${count}`));
    await pass(1_100);
  }
  const tried = reports.length;
  setOnline(true);
  await pass(30_000);
  const kept = reports.slice(tried).map(({ message }) => message);
  expect(kept).toEqual(Array.from({ length: 20 }, (_, index) => `error ${index + 1}`));
  expect(warnings()).toEqual([]);
});

test('a report that was kept has the time and the id of its error', async () => {
  const { captureException } = await openPage();
  setOnline(false);
  const before = Date.now();
  captureException(new Error('kept'));
  await pass(60_000);
  setOnline(true);
  await pass(5_000);
  const [first, last] = [reports[0], reports.at(-1)];
  expect(reports.length).toBeGreaterThan(1);
  expect(Date.parse(last?.timestamp ?? '')).toBeLessThan(before + 1_000);
  expect(last?.event_id).toBe(first?.event_id);
});

test('a network that fails again at first is given another try', async () => {
  const { captureException } = await openPage();
  setOnline(false);
  captureException(new Error('kept'));
  await pass(1_000);
  setOnline(true);
  serve((attempt) => (attempt === 1 ? Response.error() : accepted()));
  await pass(10_000);
  // One while offline, one that failed again, one that arrived.
  expect(reports).toHaveLength(3);
});

test('a network that is away for a moment loses none of several reports', async () => {
  const { captureException } = await openPage();
  serve((attempt) => (attempt <= 4 ? Response.error() : accepted()));
  for (const name of ['a', 'b', 'c', 'd']) captureException(new Error(name));
  await pass(5_000);
  expect(
    reports
      .slice(4)
      .map(({ message }) => message)
      .toSorted(),
  ).toEqual(['a', 'b', 'c', 'd']);
});
