import { expect, test } from 'vitest';
import { randomBelow } from '../../../../../test/test-utils/seeded-random.mjs';
import type { ReportEntry } from '../../../src/store/records/entry.ts';
import type { GroupState } from '../../../src/store/model/group-state.ts';
import { Model } from '../../../src/store/model/model.ts';
import { openingOf } from '../../../src/store/model/opening-codec.ts';
import { limitTags, packTags } from '../../../src/store/records/packed-tags.ts';
import { reportEntry } from '../records/report-entry.ts';

const hour = 3_600_000;
const start = Date.UTC(2026, 10, 21, 12, 30);

function report(id: number, changes: Parameters<typeof reportEntry>[0] = {}): ReportEntry {
  return reportEntry({
    id,
    at: start,
    type: 'TypeError',
    message: 'x is null',
    culprit: 'pay (src/cart.ts)',
    level: 'warning',
    environment: 'production',
    release: 'shop@1',
    url: 'https://shop.example/',
    browser: 'Chrome 141',
    os: 'Windows',
    user_id: 'u1',
    body_bytes: 10,
    ...changes,
  });
}

const opened = {
  fingerprint: '0123456789abcdef0123456789abcdef',
  grouping: { version: 3, rule: 'place', components: ['pay (src/cart.ts)', 'TypeError'] },
};
const nothing = {
  type: null,
  culprit: null,
  environment: null,
  release: null,
  url: null,
  browser: null,
  os: null,
  user_id: null,
};

function groupOf(model: Model, id = 1): GroupState {
  const group = model.groups.get(id);
  if (!group) throw new Error(`There is no group ${id}.`);
  return group;
}

test('a new group shows the data of its report', () => {
  const model = new Model(100);
  model.apply(openingOf(report(7), opened), 5_000, { offset: 300, length: 10 });
  const group = groupOf(model);
  expect(group.toRecord(start + hour)).toEqual({
    error_group_id: 1,
    project_id: 1,
    fingerprint: opened.fingerprint,
    status: 'active',
    type: 'TypeError',
    message: 'x is null',
    culprit: 'pay (src/cart.ts)',
    level: 'warning',
    count: 1,
    users: 1,
    first_seen: '2026-11-21T12:30:00.000Z',
    last_seen: '2026-11-21T12:30:00.000Z',
    resolved_at: null,
    reopened_at: null,
    reopen_count: 0,
    environments: ['production'],
    first_release: 'shop@1',
    last_release: 'shop@1',
    trend: [...Array.from({ length: 22 }, () => 0), 1, 0],
  });
  expect(group.toDetails(start).daily).toEqual([...Array.from({ length: 29 }, () => 0), 1]);
  expect(group.toDetails(start).grouping).toEqual(opened.grouping);
  expect(group.reportPointers.all()).toEqual([{ id: 7, at: start, position: 5_000, offset: 300, length: 10 }]);
  expect(group.topTags()).toEqual({
    environment: [{ value: 'production', count: 1 }],
    release: [{ value: 'shop@1', count: 1 }],
    browser: [{ value: 'Chrome 141', count: 1 }],
    os: [{ value: 'Windows', count: 1 }],
    url: [{ value: 'https://shop.example/', count: 1 }],
  });
  expect(group.searchText()).toBe('typeerror\nx is null\npay (src/cart.ts)\nshop@1\nshop@1\nhttps://shop.example/');
});

test('an empty report opens a group without type, culprit and tags', () => {
  const model = new Model(100);
  model.apply(openingOf(report(7, { ...nothing, message: '' }), opened), 5_000, null);
  const group = groupOf(model);
  expect(group.toRecord(start)).toMatchObject({ type: null, message: '', culprit: null, users: 0, environments: [] });
  expect(group.topTags()).toEqual({ environment: [], release: [], browser: [], os: [], url: [] });
  expect(group.reportPointers.size).toBe(0);
  expect(group.searchText()).toBe('');
});

test('group messages keep texts of any alphabet and lone surrogates', () => {
  const model = new Model(100);
  const texts = [
    'Größe',
    '価格がない 🛒',
    'half a pair \ud83d',
    '\0\u0001',
    'ÿ\u0100',
    'x'.repeat(300),
    '界'.repeat(300),
  ];
  texts.forEach((message, index) => {
    const fingerprint = String(index).padStart(32, '0');
    model.apply(
      openingOf(report(index + 1, { group_id: index + 1, message, user_id: message }), { ...opened, fingerprint }),
      0,
      null,
    );
  });
  texts.forEach((message, index) => expect(groupOf(model, index + 1).toRecord(start).message).toBe(message));
});

test('storedBytes follows stored reports that are added, moved, expired and removed', () => {
  const model = new Model(2);
  model.apply(openingOf(report(1), opened), 10, { offset: 0, length: 100 });
  for (let id = 2; id <= 6; id++)
    model.apply(report(id, { at: start + id * hour }), 10 + id, { offset: 0, length: 100 + id });
  expect(
    groupOf(model)
      .reportPointers.all()
      .map(({ id }) => id),
  ).toEqual([1, 2, 5, 6]);
  expect(model.storedBytes).toBe(100 + 102 + 105 + 106);
  model.apply({ kind: 'moved', id: 5, group_id: 1, at: start + 5 * hour, body_bytes: 90 }, 77, {
    offset: 1,
    length: 90,
  });
  expect(groupOf(model).reportPointers.find(5)).toEqual({
    id: 5,
    at: start + 5 * hour,
    position: 77,
    offset: 1,
    length: 90,
  });
  expect(model.storedBytes).toBe(100 + 102 + 90 + 106);
  model.apply({ kind: 'expire', before: start + 5 * hour, group_ids: [1] }, 0, null);
  expect(
    groupOf(model)
      .reportPointers.all()
      .map(({ id }) => id),
  ).toEqual([5, 6]);
  expect(model.storedBytes).toBe(90 + 106);
  model.apply({ kind: 'group.remove', id: 1 }, 0, null);
  expect(model.storedBytes).toBe(0);
});

test('after many additions and removals, exactly the remaining groups are found', () => {
  const random = randomBelow(3);
  const model = new Model(100, 10);
  const alive = new Map<number, string>();
  for (let id = 1; id <= 20_000; id++) {
    const fingerprint = (random(2 ** 31) * 2 ** 20 + id).toString(16).padStart(32, 'f');
    model.apply(openingOf(report(id, { group_id: id, project_id: 1 + (id % 5) }), { ...opened, fingerprint }), id, {
      offset: 0,
      length: 5,
    });
    alive.set(id, fingerprint);
    if (random(3) > 0) continue;
    const removed = 1 + random(id);
    model.apply({ kind: 'group.remove', id: removed }, 0, null);
    alive.delete(removed);
  }
  expect(model.groups.size).toBe(alive.size);
  expect(model.storedBytes).toBe(5 * alive.size);
  expect(new Set(model.groups.ids())).toEqual(new Set(alive.keys()));
  for (const [id, fingerprint] of alive) {
    expect(model.groupId(1 + (id % 5), fingerprint)).toBe(id);
    expect(model.groupId(2 + (id % 5), fingerprint)).toBeUndefined();
  }
});

test('a project with 100,000 groups is removed without quadratic work', () => {
  const model = new Model(1);
  for (let id = 1; id <= 100_000; id++)
    model.apply(
      openingOf(report(id, { group_id: id }), {
        fingerprint: id.toString(16).padStart(32, '0'),
        grouping: { version: 1, rule: 'text', components: [] },
      }),
      1,
      null,
    );
  expect(model.groups.size).toBe(100_000);
  // If consecutive ids had adjacent slots in the index, each removal would scan all other groups.
  model.apply({ kind: 'remove', table: 'projects', id: 1 }, 2, null);
  expect(model.groups.size).toBe(0);
});

test('the size of the tags of a project is exact after its groups are added, changed and removed', () => {
  const model = new Model(10, 2);
  const addReport = (group_id: number, tags: Record<string, string>, isLimited = false): void => {
    const packed = packTags(tags) ?? '';
    const entry = reportEntry({ group_id, id: 1, tags: isLimited ? limitTags(packed) : packed });
    const fingerprint = group_id.toString(16).padStart(32, '0');
    model.apply(model.groups.has(group_id) ? entry : openingOf(entry, { ...opened, fingerprint }), 0, null);
  };
  const naive = (): number =>
    [...model.groups.ids()].reduce((sum, id) => sum + (model.groups.get(id)?.customTags.chars ?? 0), 0);

  addReport(1, { plan: 'gold' });
  expect(model.groups.tagChars(1)).toBe(naive());
  for (let round = 0; round < 300; round++)
    addReport(1 + (round % 7), { plan: `p${round % 11}`, [`n${round % 30}`]: 'x' });
  expect(model.groups.tagChars(1)).toBe(naive());
  addReport(3, { plan: 'too late' }, true);
  addReport(9, { plan: 'too late' }, true);
  expect(model.groups.tagChars(1)).toBe(naive());
  expect(model.groups.get(9)?.customTags.top(5)).toEqual([]);
  model.apply({ kind: 'group.remove', id: 3 }, 0, null);
  expect(model.groups.tagChars(1)).toBe(naive());
  expect(model.groups.tagChars(2)).toBe(0);
});
