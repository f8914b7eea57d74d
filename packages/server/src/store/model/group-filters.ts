import type { GroupQuery } from '@service/protocol';
import type { ListFilterName } from '../records/columns-and-fields.ts';
import { activeStatus, resolvedStatus } from './group-columns.ts';
import type { GroupTable } from './group-table.ts';
import { CachedFilter, type SlotTest } from './cached-filter.ts';
import { SearchIndex } from './search-index.ts';
import { TagIndex } from './tag-index.ts';
import { valueFilters } from './value-filters.ts';
import { Bitset } from '../structures/bitset.ts';

/** The filters of a list. A group has to match all of them. */
export type GroupFilterQuery = Pick<GroupQuery, ListFilterName | 'status' | 'search' | 'tag'>;

const maxFilters = 32;

/**
 * Finds the groups that match the filters of a list: the projects, the status, counted values, tags and the words of a
 * search. Filters and indexes are built when they are first used, and updated on each use.
 */
export class GroupFilters {
  readonly #table: GroupTable;
  /** In the order of their last use. */
  readonly #filters = new Map<string, CachedFilter>();
  #text: SearchIndex | null = null;
  #tagIndex: TagIndex | null = null;

  constructor(table: GroupTable) {
    this.#table = table;
  }

  /** Tests the groups of small projects. Needs no index, so it costs the same next to any number of other groups. */
  matchesOfFew(projectIds: readonly number[], query: GroupFilterQuery): number[] {
    const { columns } = this.#table;
    const tests = [
      (slot: number): boolean => columns.merged[slot] === 0,
      ...this.#statusTests(query),
      ...this.#valueTests(query),
      ...this.#tagTests(query),
      ...this.#wordTests(query),
    ];
    return projectIds.flatMap((id) => [...this.#table.slotsOf(id)].filter((slot) => tests.every((test) => test(slot))));
  }

  #statusTests({ status }: GroupFilterQuery): SlotTest[] {
    if (status === undefined) return [];
    const { columns } = this.#table;
    const wanted = status === 'active' ? activeStatus : resolvedStatus;
    return [(slot) => columns.statuses[slot] === wanted];
  }

  #valueTests(query: GroupFilterQuery): SlotTest[] {
    return valueFilters.flatMap((filter) => {
      const value = query[filter.name];
      return value === undefined ? [] : this.#table.filterTest(filter, value);
    });
  }

  #tagTests({ tag: tags = [] }: GroupFilterQuery): SlotTest[] {
    return tags.map((tag) => (slot) => {
      for (const { name, value } of this.#table.shownTags(slot).entries()) if (`${name}:${value}` === tag) return true;
      return false;
    });
  }

  #wordTests({ search = '' }: GroupFilterQuery): SlotTest[] {
    const words = wordsOf(search);
    if (words.length === 0) return [];
    return [
      (slot) => {
        const text = this.#table.searchText(slot);
        return words.every((word) => text.includes(word));
      },
    ];
  }

  /**
   * Returns a function that looks for the matching groups of any projects until a time of `performance.now()`. It
   * returns null until it has all of them, which are valid until the table changes.
   */
  findMatches(projectIds: readonly number[], query: GroupFilterQuery): (end: number) => Bitset | null {
    const words = wordsOf(query.search ?? '');
    const text = words.length > 0 ? (this.#text ??= new SearchIndex(this.#table)) : null;
    const tags = query.tag ?? [];
    const tagIndex = tags.length > 0 ? this.tagIndex() : null;
    const filters = [
      this.#projects(projectIds),
      ...this.#status(query),
      ...this.#values(query),
      ...(tagIndex ? tags.map((tag) => this.#tagged(tagIndex, tag)) : []),
      ...(text ? [this.#search(text, words)] : []),
    ];
    return (end) => {
      const isUpToDate = (text?.updateSlice(end) ?? true) && (tagIndex?.updateSlice(end) ?? true);
      if (!isUpToDate || !filters.every((filter) => filter.prepareSlice(end))) return null;
      // The indexes are still up to date, so the filters can test the changes.
      return Bitset.inAll(filters.map((filter) => filter.slots()));
    };
  }

  /** Returns the index of the tags of all groups. The caller brings it up to date with `updateSlice`. */
  tagIndex(): TagIndex {
    return (this.#tagIndex ??= new TagIndex(this.#table));
  }

  #projects(projectIds: readonly number[]): CachedFilter {
    const { columns } = this.#table;
    const wanted = new Set(projectIds);
    return this.#filter(
      `projects ${projectIds.join()}`,
      () =>
        new CachedFilter(this.#table, (slot) => wanted.has(columns.projects[slot] ?? 0) && columns.merged[slot] === 0),
    );
  }

  #status(query: GroupFilterQuery): CachedFilter[] {
    return this.#statusTests(query).map((test) =>
      this.#filter(`${query.status}`, () => new CachedFilter(this.#table, test)),
    );
  }

  #values(query: GroupFilterQuery): CachedFilter[] {
    return valueFilters.flatMap((filter) => {
      const value = query[filter.name];
      if (value === undefined) return [];
      const make = (): CachedFilter => new CachedFilter(this.#table, this.#table.filterTest(filter, value));
      return this.#filter(`${filter.name} ${value}`, make);
    });
  }

  #tagged(index: TagIndex, tag: string): CachedFilter {
    const test = (slot: number): boolean => index.has(slot, tag);
    return this.#filter(`tag ${tag}`, () => new CachedFilter(this.#table, test));
  }

  #search(text: SearchIndex, words: readonly string[]): CachedFilter {
    const bytes = words.map((word) => Buffer.from(word));
    const test = (slot: number): boolean => text.has(slot, bytes);
    const find = (found: Bitset): Generator<void> => text.find(bytes, found);
    return this.#filter(`search ${words.join(' ')}`, () => new CachedFilter(this.#table, test, find));
  }

  #filter(key: string, make: () => CachedFilter): CachedFilter {
    const filter = this.#filters.get(key) ?? make();
    this.#filters.delete(key);
    this.#filters.set(key, filter);
    for (const oldest of this.#filters.keys()) {
      if (this.#filters.size <= maxFilters) break;
      this.#filters.delete(oldest);
    }
    return filter;
  }

  /** Frees all filters and indexes. */
  forget(): void {
    this.#filters.clear();
    this.#text = null;
    this.#tagIndex = null;
  }
}

/** Returns the words of a search, without repetitions. */
function wordsOf(search: string): string[] {
  return [...new Set(search.toLowerCase().split(/\s+/).filter(Boolean))];
}
