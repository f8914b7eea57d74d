import { setImmediate } from 'node:timers/promises';
import type { ErrorGroup, GroupQuery, Page, TagFacet } from '@service/protocol';
import type { FilterName } from '../records/report-columns.ts';
import { activeStatus, resolvedStatus } from './group-columns.ts';
import { comparison, GroupOrder, type SortKey } from './group-order.ts';
import { groupFilters } from './group-filters.ts';
import type { GroupTable } from './group-table.ts';
import { CachedFilter } from './cached-filter.ts';
import { SearchIndex } from './search-index.ts';
import { TagIndex } from './tag-index.ts';
import { Bitset } from '../structures/bitset.ts';

/** The filters, the order and the page of a list. */
export interface GroupListQuery extends Pick<GroupQuery, FilterName | 'status' | 'search' | 'tag'> {
  sort: GroupQuery['sort'];
  order: GroupQuery['order'];
  page: number;
  size: number;
}

const maxFilters = 32;
/** Up to this number of matches, sorting them is faster than walking through the order of all groups. */
const few = 500;
const forgottenAfterMs = 10 * 60_000;

/**
 * Lists groups. Orders, filters and the search index are built when they are first used, updated on each use, and dropped
 * after ten minutes without a list. So the cost of a list depends on the changes since the previous one
 * and on the size of its page.
 */
export class GroupList {
  readonly #table: GroupTable;
  readonly #orders = new Map<SortKey, GroupOrder>();
  /** In the order of their last use. */
  readonly #filters = new Map<string, CachedFilter>();
  #text: SearchIndex | null = null;
  #tagIndex: TagIndex | null = null;
  #forgetting: NodeJS.Timeout | null = null;

  constructor(table: GroupTable) {
    this.#table = table;
  }

  /** Returns one page of the matching groups of these projects. */
  async page(projectIds: readonly number[], query: GroupListQuery, now: number): Promise<Page<ErrorGroup>> {
    const words = wordsOf(query.search ?? '');
    this.#forgetLater();
    const text = words.length > 0 ? (this.#text ??= new SearchIndex(this.#table)) : null;
    const tags = query.tag ?? [];
    const tagIndex = tags.length > 0 ? this.#tags() : null;
    await upToDate(text, tagIndex);
    // From here on nothing awaits, so that all steps see the same groups.
    const matching = Bitset.inAll([
      this.#projects(projectIds),
      ...this.#status(query),
      ...this.#values(query),
      ...(tagIndex ? tags.map((tag) => this.#tagged(tagIndex, tag)) : []),
      ...(text ? [this.#search(text, words)] : []),
    ]);
    const total = matching.size;
    const slots = this.#part(matching, total, query);
    const { page, size } = query;
    return {
      items: slots.map((slot) => this.#table.record(slot, now)),
      total,
      page,
      size,
      pages: Math.ceil(total / size),
    };
  }

  /** Returns the tags of the groups of these projects, those that most groups have first. */
  async tagFacets(projectIds: readonly number[]): Promise<TagFacet[]> {
    this.#forgetLater();
    const index = this.#tags();
    await upToDate(index);
    return index.facets(projectIds);
  }

  /** Frees all that was built. Otherwise the timer would keep the groups of a closed store in memory for ten minutes. */
  close(): void {
    if (this.#forgetting) clearTimeout(this.#forgetting);
    this.#forget();
  }

  #tags(): TagIndex {
    return (this.#tagIndex ??= new TagIndex(this.#table));
  }

  #projects(projectIds: readonly number[]): Bitset {
    const { columns } = this.#table;
    const wanted = new Set(projectIds);
    return this.#filter(
      `projects ${projectIds.join()}`,
      () => new CachedFilter(this.#table, (slot) => wanted.has(columns.projects[slot] ?? 0)),
    );
  }

  #status({ status }: GroupListQuery): Bitset[] {
    if (status === undefined) return [];
    const { columns } = this.#table;
    const wanted = status === 'active' ? activeStatus : resolvedStatus;
    return [this.#filter(status, () => new CachedFilter(this.#table, (slot) => columns.statuses[slot] === wanted))];
  }

  #values(query: GroupListQuery): Bitset[] {
    return groupFilters.flatMap((filter) => {
      const value = query[filter.name];
      if (value === undefined) return [];
      const make = (): CachedFilter => new CachedFilter(this.#table, this.#table.filterTest(filter, value));
      return this.#filter(`${filter.name} ${value}`, make);
    });
  }

  #tagged(index: TagIndex, tag: string): Bitset {
    const test = (slot: number): boolean => index.has(slot, tag);
    return this.#filter(`tag ${tag}`, () => new CachedFilter(this.#table, test, () => index.find(tag)));
  }

  #search(text: SearchIndex, words: readonly string[]): Bitset {
    const bytes = words.map((word) => Buffer.from(word));
    const test = (slot: number): boolean => text.has(slot, bytes);
    return this.#filter(`search ${words.join(' ')}`, () => new CachedFilter(this.#table, test, () => text.find(bytes)));
  }

  #filter(key: string, make: () => CachedFilter): Bitset {
    const filter = this.#filters.get(key) ?? make();
    this.#filters.delete(key);
    this.#filters.set(key, filter);
    for (const oldest of this.#filters.keys()) {
      if (this.#filters.size <= maxFilters) break;
      this.#filters.delete(oldest);
    }
    return filter.slots();
  }

  /** The slots of a page, in the order of the query. Ties break by id in its direction, so that pages never overlap. */
  #part(matching: Bitset, total: number, { sort, order, page, size }: GroupListQuery): number[] {
    const start = (page - 1) * size;
    if (start >= total) return [];
    const end = Math.min(start + size, total);
    // Positions in the ascending order, which is the only one that is stored.
    const [from, to] = order === 'asc' ? [start, end] : [total - end, total - start];
    const slots =
      total <= few ? this.#sorted(matching, sort).slice(from, to) : this.#walk(matching, sort, from, to, total);
    return order === 'asc' ? slots : slots.toReversed();
  }

  #sorted(matching: Bitset, sort: SortKey): number[] {
    return matching.slots().toSorted(comparison(this.#table.columns, sort));
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

/** Updates indexes. Other work runs between two slices. */
async function upToDate(...indexes: readonly (SearchIndex | TagIndex | null)[]): Promise<void> {
  while (indexes.some((index) => index?.updateSlice() === false)) await setImmediate();
}

/** Returns the words of a search, without repetitions. */
function wordsOf(search: string): string[] {
  return [...new Set(search.toLowerCase().split(/\s+/).filter(Boolean))];
}
