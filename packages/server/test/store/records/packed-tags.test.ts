import { limits } from '@service/protocol';
import { expect, test } from 'vitest';
import { limitTags, packTags, unpackTags } from '../../../src/store/records/packed-tags.ts';

const hostile = { __proto__x: 'a:b', 'größe 🙂': '</script>', empty: '', lone: '\ud800', lines: 'a\nb' };

test('packed tags unpack to the same tags', () => {
  const packed = packTags(hostile) ?? '';
  const tags = Object.entries(hostile).map(([name, value]) => ({ name, value }));
  expect(unpackTags(packed)).toEqual({ tags, areLimited: false });
  expect(unpackTags(limitTags(packed))).toEqual({ tags, areLimited: true });
});

test('a tag that contains the separator cannot add another tag', () => {
  const { tags, areLimited } = unpackTags(packTags({ '\0name': 'a\0b\0c', next: 'd' }) ?? '');
  expect(tags).toEqual([
    { name: ' name', value: 'a b c' },
    { name: 'next', value: 'd' },
  ]);
  expect(areLimited).toBe(false);
});

test('only the first tags are packed', () => {
  const many = Object.fromEntries(Array.from({ length: 32 }, (_, index) => [`tag ${index}`, 'x']));
  expect(unpackTags(packTags(many) ?? '').tags).toHaveLength(limits.searchableTags);
  expect(packTags({})).toBeNull();
});
