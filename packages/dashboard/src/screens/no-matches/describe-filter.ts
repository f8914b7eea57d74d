import { filterFields, type GroupFilter } from '../filter/group-filter.ts';

/** The columns that a search reads, under names that users take for filters. */
const textColumn = /^(?:type|message|title|culprit|url):/i;

/** Describes the search of a filter, so that a user sees a part of the text that was understood differently. */
export function describeFilter({ status, tags, words, ...values }: GroupFilter): string {
  const parts = [
    ...filterFields.map(({ name, title }) => values[name] && `the ${title.toLowerCase()} “${values[name]}”`),
    ...tags.map((tag) => `the tag “${tag}”`),
    words && `the text “${words}”`,
  ].filter(Boolean);
  const what = status === 'all' ? 'all errors' : `${status} errors`;
  const list = new Intl.ListFormat('en-GB').format(parts as string[]);
  return `Searched ${what}${list && ` for ${list}`}.`;
}

/** Returns what a user may not know about the parts of a filter. */
export function filterHints({ tags, words }: GroupFilter): string[] {
  const filters = filterFields.map(({ prefixes: [prefix] }) => `${prefix}:`).join(' and ');
  return [
    tags.length > 0 && `The filters are is:, ${filters}. Any other name is that of a tag.`,
    /(^|\s)is:/i.test(words) && 'is: takes active, resolved or all.',
    /(^|\s)[!-]\S/.test(words) && 'A search can’t exclude anything.',
    words && 'Text is searched for in type, message, culprit, release and URL.',
  ].filter(Boolean) as string[];
}

/**
 * Returns a filter that searches for the texts of its tags instead: `cart.ts:12` looks like a tag, and
 * `type:RangeError` like a filter.
 */
export function tagsAsWords({ tags, words, ...others }: GroupFilter): GroupFilter {
  return { ...others, tags: [], words: [...tags.map((tag) => tag.replace(textColumn, '')), words].join(' ').trim() };
}
