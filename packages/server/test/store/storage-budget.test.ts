import { expect, test } from 'vitest';
import { StorageBudget } from '../../src/store/storage-budget.ts';
import { describeInMemory } from '../test-utils/describe-service.ts';

const mb = 1024 * 1024;

test('a project may store a sixteenth of its hourly bytes at once, and the rest over time', () => {
  let now = 0;
  const budget = new StorageBudget({
    bytesPerHour: 16 * mb,
    projectBytes: Infinity,
    room: { assertFree: () => undefined },
    sizes: { storedBytesOf: () => 0 },
    now: () => now,
  });
  const body = new Uint8Array(mb / 2);
  expect(budget.take(1, body)).toBe(body);
  expect(budget.take(1, body)).toBe(body);
  expect(budget.take(1, body)).toBe(null);
  expect(budget.take(2, body)).toBe(body);
  now += 3_600_000 / 32;
  expect(budget.take(1, body)).toBe(body);
  expect(budget.take(1, body)).toBe(null);
  expect(budget.unstoredCount).toBe(2);
});

describeInMemory('storage budget', (start) => {
  test('a report over the budget is counted, and its group has no stored report', async () => {
    const { call, report } = await start({ storedMbPerHour: 1 });
    // Text that compression hardly shrinks.
    const noise = (length: number): string =>
      Array.from({ length }, () => String.fromCharCode(33 + Math.random() * 90)).join('');
    const stored: (number | undefined)[] = [];
    for (const message of ['first', 'second', 'third', 'fourth']) {
      const { body } = await report({
        message,
        metadata: Object.fromEntries([1, 2, 3, 4].map((n) => [n, noise(6_000)])),
      });
      const { body: reports } = await call('GET', `errors/${body.error_group_id}/reports`);
      stored.push(reports.items?.length);
    }
    expect(stored).toEqual([1, 1, 1, 0]);
    const { body } = await call('GET', 'errors');
    expect(body.items?.map(({ count }) => count)).toEqual([1, 1, 1, 1]);
    const fourth = body.items?.find(({ message }) => message === 'fourth');
    const details = await call('GET', `errors/${fourth?.error_group_id}`);
    expect([details.status, details.body.count, details.body.latest_report]).toEqual([200, 1, null]);
    expect((await call('GET', '/metrics')).text).toContain('service_reports_not_stored_total 1');
  });
});
