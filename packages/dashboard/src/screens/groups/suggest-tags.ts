import type { TagFacet } from '@service/protocol';
import { formatTag } from '../filter/group-filter.ts';

const maxSuggestions = 20;

/** Returns the text of the search box with its last word completed: to the name of a tag, or to a tag. */
export function suggestTags(text: string, tags: readonly TagFacet[]): string[] {
  const [, before = '', word = ''] = /^(.*\s)?(\S+)$/s.exec(text) ?? [];
  if (word === '') return [];
  const completions = tags.flatMap(({ name, values }) => [
    formatTag(`${name}:`).replace('""', ''),
    ...values.map((value) => formatTag(`${name}:${value}`)),
  ]);
  const isUseful = (completion: string): boolean =>
    completion !== word && completion.toLowerCase().startsWith(word.toLowerCase());
  return completions
    .filter(isUseful)
    .slice(0, maxSuggestions)
    .map((completion) => before + completion);
}
