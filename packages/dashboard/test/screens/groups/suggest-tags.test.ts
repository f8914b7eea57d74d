import { expect, test } from 'vitest';
import { suggestTags } from '../../../src/screens/groups/suggest-tags.ts';

test('suggests the names and values of tags for the last word', () => {
  const tags = [
    { name: 'plan', values: ['gold', 'le grand'] },
    { name: 'my shop', values: ['a'] },
  ];
  expect(suggestTags('cart pl', tags)).toEqual(['cart plan:', 'cart plan:gold', 'cart plan:"le grand"']);
  expect(suggestTags('plan:g', tags)).toEqual(['plan:gold']);
  expect(suggestTags('tag:', tags)).toEqual(['tag:"my shop:"', 'tag:"my shop:a"']);
  expect(suggestTags('cart ', tags)).toEqual([]);
});
