import type { ErrorGroup, GroupQuery, Page, TagFacet } from '@service/protocol';
import type { ListFilterName } from '../records/report-columns.ts';
import { activeStatus, resolvedStatus } from './group-columns.ts';
import { comparison, GroupOrder, type SortKey } from './group-order.ts';
import { groupFilters } from './group-filters.ts';
import type { GroupTable } from './group-table.ts';
import { CachedFilter, type SlotTest } from './cached-filter.ts';
import { SearchIndex } from './search-index.ts';
import { TagIndex } from './tag-index.ts';
import { Bitset } from '../structures/bitset.ts';
import { FairSlices } from '../structures/fair-slices.ts';

/** The filters, the order and the page of a list. */
export interface GroupListQuery extends Pick<GroupQuery, ListFilterName | 'status' | 'search' | 'tag'> {
  sort: GroupQuery['sort'];
  order: GroupQuery['order'];
  page: number;
  size: number;
}

const maxFilters = 32;
/** Up to this number of matches, testing and sorting them is faster than walking through the order of all groups. */
const few = 500;
const forgottenAfterMs = 10 * 60_000;

/**
 * Lists groups. Orders, filters and the search index are built when they are first used, updated on each use, and
 * dropped after ten minutes without a list. So the cost of a list depends on the changes since the previous one and on
 * the size of its page.
 */
export class GroupList {
  readonly #table: GroupTable;
  readonly #maxSmall: number;
  readonly #orders = new Map<SortKey, GroupOrder>();
  /** In the order of their last use. */
  readonly #filters = new Map<string, CachedFilter>();
  readonly #slices = new FairSlices();
  #text: SearchIndex | null = null;
  #tagIndex: TagIndex | null = null;
  #forgetting: NodeJS.Timeout | null = null;

  /** Projects with up to `maxSmall` groups are read without an index. */
  constructor(table: GroupTable, maxSmall = few) {
    this.#table = table;
    this.#maxSmall = maxSmall;
  }

  /** Returns one page of the matching groups of these projects. `owner` is their team, for turns with others. */
  async page(
    projectIds: readonly number[],
    query: GroupListQuery,
    { now, owner }: { now: number; owner: number },
  ): Promise<Page<ErrorGroup>> {
    if (this.#isSmall(projectIds)) {
      const matching = this.#matchesOfFew(projectIds, query);
      this.#prepareSort(query);
      return this.#page(this.#partOfFew(matching, query), query, now);
    }
    this.#forgetLater();
    const findMatches = this.#findMatches(projectIds, query);
    const found: { page?: Page<ErrorGroup> } = {};
    await this.#slices.run(owner, (end) => {
      const matching = findMatches(end);
      if (!matching) return false;
      this.#prepareSort(query);
      // Nothing awaits in between, so that all steps see the same groups.
      found.page = this.#page(this.#part(matching, query), query, now);
      return true;
    });
    if (!found.page) throw new Error('A list ended without a page.');
    return found.page;
  }

  /** Brings the values up to date that a list sorts by. */
  #prepareSort({ sort }: GroupListQuery): void {
    if (sort === 'users') this.#table.countMergedUsers();
  }

  #page({ slots, total }: ListPart, { page, size }: GroupListQuery, now: number): Page<ErrorGroup> {
    const items = slots.map((slot) => this.#table.record(slot, now));
    return { items, total, page, size, pages: Math.ceil(total / size) };
  }

  /** Returns the tags of the groups of these projects, those that most groups have first. `owner` is their team. */
  async tagFacets(projectIds: readonly number[], owner: number): Promise<TagFacet[]> {
    this.#forgetLater();
    const index = this.#tags();
    await this.#slices.run(owner, (end) => index.updateSlice(end));
    return index.facets(projectIds);
  }

  /**
   * Frees all that was built. Otherwise the timer would keep the groups of a closed store in memory for ten minutes.
   */
  close(): void {
    if (this.#forgetting) clearTimeout(this.#forgetting);
    this.#forget();
  }

  /** Returns whether these projects have so few groups that testing each of them is the fastest way. */
  #isSmall(projectIds: readonly number[]): boolean {
    let size = 0;
    for (const id of projectIds) if ((size += this.#table.sizes.groupsOf(id)) > this.#maxSmall) return false;
    return true;
  }

  /** Tests the groups of small projects. Needs no index, so it costs the same next to any number of other groups. */
  #matchesOfFew(projectIds: readonly number[], query: GroupListQuery): number[] {
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

  #statusTests({ status }: GroupListQuery): SlotTest[] {
    if (status === undefined) return [];
    const { columns } = this.#table;
    const wanted = status === 'active' ? activeStatus : resolvedStatus;
    return [(slot) => columns.statuses[slot] === wanted];
  }

  #valueTests(query: GroupListQuery): SlotTest[] {
    return groupFilters.flatMap((filter) => {
      const value = query[filter.name];
      return value === undefined ? [] : this.#table.filterTest(filter, value);
    });
  }

  #tagTests({ tag: tags = [] }: GroupListQuery): SlotTest[] {
    return tags.map((tag) => (slot) => {
      for (const { name, value } of this.#table.shownTags(slot).entries()) if (`${name}:${value}` === tag) return true;
      return false;
    });
  }

  #wordTests({ search = '' }: GroupListQuery): SlotTest[] {
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
  #findMatches(projectIds: readonly number[], query: GroupListQuery): (end: number) => Bitset | null {
    const words = wordsOf(query.search ?? '');
    const text = words.length > 0 ? (this.#text ??= new SearchIndex(this.#table)) : null;
    const tags = query.tag ?? [];
    const tagIndex = tags.length > 0 ? this.#tags() : null;
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

  #tags(): TagIndex {
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

  #status(query: GroupListQuery): CachedFilter[] {
    return this.#statusTests(query).map((test) =>
      this.#filter(`${query.status}`, () => new CachedFilter(this.#table, test)),
    );
  }

  #values(query: GroupListQuery): CachedFilter[] {
    return groupFilters.flatMap((filter) => {
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

  /** The slots of a page, in the order of the query. Ties break by id in its direction, so that pages never overlap. */
  #part(matching: Bitset, query: GroupListQuery): ListPart {
    const total = matching.size;
    if (total <= few) return this.#partOfFew(matching.slots(), query);
    const { from, to, inOrder } = rangeOf(query, total);
    return { slots: from < to ? inOrder(this.#walk(matching, query.sort, from, to, total)) : [], total };
  }

  #partOfFew(matching: readonly number[], query: GroupListQuery): ListPart {
    const { from, to, inOrder } = rangeOf(query, matching.length);
    const sorted = matching.toSorted(comparison(this.#table.columns, query.sort));
    return { slots: inOrder(sorted.slice(from, to)), total: matching.length };
  }

  /** Walks through the order of all groups, from the nearer end. */
  #walk(matching: Bitset, sort: SortKey, from: number, to: number, total: number): number[] {
    let known = this.#orders.get(sort);
    if (!known) this.#orders.set(sort, (known = new GroupOrder(this.#table, sort)));
    const order = known.slots();
    if (total === order.length) return [...order.subarray(from, to)];
    const slots: number[] = [];
    if (from < total - to) {
      for (let index = 0, seen = 0; seen < to && index < order.length; index++) {
        const slot = order[index] ?? 0;
        if (matching.has(slot) && seen++ >= from) slots.push(slot);
      }
      return slots;
    }
    for (let index = order.length - 1, seen = total; seen > from && index >= 0; index--) {
      const slot = order[index] ?? 0;
      if (matching.has(slot) && seen-- <= to) slots.push(slot);
    }
    return slots.toReversed();
  }

  #forgetLater(): void {
    if (this.#forgetting) this.#forgetting.refresh();
    else this.#forgetting = setTimeout(() => this.#forget(), forgottenAfterMs).unref();
  }

  #forget(): void {
    this.#orders.clear();
    this.#filters.clear();
    this.#text = null;
    this.#tagIndex = null;
    this.#forgetting = null;
  }
}

/** The slots of a page, and the number of all matches. */
interface ListPart {
  slots: number[];
  total: number;
}

/** Returns the positions of a page in the ascending order, which is the only one that is stored. */
function rangeOf(
  { order, page, size }: GroupListQuery,
  total: number,
): { from: number; to: number; inOrder: (slots: number[]) => number[] } {
  const start = Math.min((page - 1) * size, total);
  const end = Math.min(start + size, total);
  return order === 'asc'
    ? { from: start, to: end, inOrder: (slots) => slots }
    : { from: total - end, to: total - start, inOrder: (slots) => slots.toReversed() };
}

/** Returns the words of a search, without repetitions. */
function wordsOf(search: string): string[] {
  return [...new Set(search.toLowerCase().split(/\s+/).filter(Boolean))];
}
