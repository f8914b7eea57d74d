import { afterEach, expect, test } from 'vitest';
import { recordReport } from '../../src/ingest/record-report.ts';
import { maxProjectTagChars } from '../../src/store/structures/memory-limits.ts';
import { openFileDriver } from '../../src/storage/file/file.ts';
import { machineTiming } from '../../src/time/timing.ts';
import { packTags } from '../../src/store/records/packed-tags.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { emptyValues } from '../store/records/report-entry.ts';
import { unlimitedStorage } from '../store/unlimited-storage.ts';
import { cleanUp, temporaryFolder } from '../test-utils/describe-service.ts';

const now = Date.UTC(2026, 10, 23);
const settings = {
  retentionReports: 0,
  retentionDays: 90,
  now: () => now,
  timing: machineTiming,
  warn: () => undefined,
};

afterEach(cleanUp);

function report(store: Store, kind: number, tags: Record<string, string>): Promise<number> {
  return store.commit((transaction) => {
    const { error_group_id } = recordReport(
      transaction,
      {
        api_key: 'key',
        fingerprint: (kind + 1).toString(16).padStart(32, '0'),
        grouping: { version: 1, rule: 'place', components: [] },
        body: () => '',
        project_id: 1,
        columns: { ...emptyValues, tags: packTags(tags) },
      },
      { errorQuota: null, retentionReports: 0, storageBudget: unlimitedStorage() },
    );
    return error_group_id;
  });
}

/** Returns 16 tags with the longest names and values that a report may have. */
function hostileTags(kind: number): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: 16 }, (_, index) => [`${index} ${kind}`.padEnd(64, 'n'), `${kind}`.padEnd(200, 'v')]),
  );
}

test('hostile tags exceed the budget of their project by no more than one batch of reports, also after a restart', async () => {
  const folder = await temporaryFolder();
  let store = await openStore(await openFileDriver(folder), settings);
  await store.commit((transaction) =>
    transaction.put('projects', { id: 1, team_id: 1, name: 'Shop', api_key: 'key', created_at: '' }),
  );
  const known = await report(store, 0, { plan: 'gold' });
  const hostile: number[] = [];
  const perReport = 16 * (64 + 8 + 200 + 8);
  for (let kind = 1; kind <= maxProjectTagChars / perReport + 200; kind += 50)
    hostile.push(
      ...(await Promise.all(
        Array.from({ length: 50 }, (_, index) => report(store, kind + index, hostileTags(kind + index))),
      )),
    );

  const { groups } = store.model;
  // Reports that are recorded in one batch may exceed the budget.
  expect(groups.tagChars(1)).toBeGreaterThanOrEqual(maxProjectTagChars);
  expect(groups.tagChars(1)).toBeLessThan(maxProjectTagChars + 50 * perReport);
  expect(groups.get(hostile.at(-1) ?? 0)?.customTags.top(1)).toEqual([]);

  for (const plan of ['gold', 'free']) await report(store, 0, { plan, shop: 'berlin' });
  const expected = [{ name: 'plan', values: [{ value: 'gold', count: 2 }], other: 1 }];
  expect(groups.get(known)?.customTags.top(5)).toEqual(expected);
  const chars = groups.tagChars(1);
  await store.close();

  store = await openStore(await openFileDriver(folder), settings);
  expect(store.model.groups.tagChars(1)).toBe(chars);
  expect(store.model.groups.get(known)?.customTags.top(5)).toEqual(expected);

  await store.commit((transaction) => {
    for (const id of hostile.slice(0, 100)) {
      const group = transaction.group(id);
      if (group) transaction.removeGroup(group);
    }
  });
  await report(store, 0, { plan: 'free' });
  expect(store.model.groups.get(known)?.customTags.top(5)[0]?.values).toContainEqual({ value: 'free', count: 1 });
  await store.close();
});
